import React from 'react';

import { AppStatus } from '../AppStatus/AppStatus';

function AppConfig() {
  return <AppStatus />;
}

export default AppConfig;
