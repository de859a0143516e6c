/** What the host tells its page; see internal/host. */
export interface HostBoot {
  version: string;
  user: { login: string; name: string; orgId: number; orgRole: string };
  plugins: HostPlugin[];
  dataSources: HostDataSource[];
}

export interface HostPlugin {
  id: string;
  type: string;
  name: string;
  module: string;
}

export interface HostDataSource {
  uid: string;
  name: string;
  type: string;
  url: string;
  jsonData?: object;
}

export type ThemeName = 'dark' | 'light';
