import { locationUtil } from '@grafana/data';

import { queryString, type Params } from '../api/client';
import { prefixRoute, ROUTES } from '../constants';

/** The address of a page of this app inside Grafana's router. */
export const pagePath = (route: ROUTES, params?: Params): string => prefixRoute(route) + queryString(params);

/** The same address for a link, which must carry the sub-path that Grafana may be served from. */
export const pageHref = (route: ROUTES, params?: Params): string => locationUtil.assureBaseUrl(pagePath(route, params));
