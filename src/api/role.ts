import { config } from '@grafana/runtime';

/**
 * True for roles that the backend shows recorded values to. It is the backend that decides; this only keeps the page
 * from offering what would be refused.
 */
export function mayReveal(): boolean {
  const role = config.bootData?.user?.orgRole;
  return role === 'Editor' || role === 'Admin';
}
