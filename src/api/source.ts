import type { SettingsResponse } from '../types/generated';
import { call } from './client';

// Resources of a data source of this plugin, where its own code is not at hand: on its page of settings.

/** The effective configuration of one data source, without secrets. */
export const getSourceSettings = (uid: string, signal?: AbortSignal) =>
  call<SettingsResponse>(`/api/datasources/uid/${encodeURIComponent(uid)}/resources/v1/settings`, { signal });
