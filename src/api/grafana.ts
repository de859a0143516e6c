import { lastValueFrom } from 'rxjs';

import { getBackendSrv } from '@grafana/runtime';

/** The dashboard that provisioning brings along. */
export const DASHBOARD_UID = 'replay-evidence';

/**
 * Says whether this Grafana has a dashboard that the user may see. Searching, rather than asking for it, so that the
 * answer "no" is not an error.
 */
export async function hasDashboard(uid: string, signal?: AbortSignal): Promise<boolean> {
  const { data } = await lastValueFrom(
    getBackendSrv().fetch<unknown>({
      url: '/api/search',
      params: { dashboardUIDs: uid, type: 'dash-db', limit: 1 },
      method: 'GET',
      abortSignal: signal,
      showErrorAlert: false,
    })
  );
  return Array.isArray(data) && data.some((found: { uid?: string }) => found.uid === uid);
}
