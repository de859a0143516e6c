import { lastValueFrom } from 'rxjs';

import { getBackendSrv } from '@grafana/runtime';

import { isAborted, ProblemError, toProblem } from '../../api/problem';
import { PLUGIN_ID } from '../../constants';
import type { Payload, PluginSettings } from './settings';

const URL = `/api/plugins/${PLUGIN_ID}/settings`;

async function ask<T>(method: 'GET' | 'POST', data?: Payload, signal?: AbortSignal): Promise<T> {
  try {
    const answer = await lastValueFrom(
      getBackendSrv().fetch<T>({
        url: URL,
        method,
        data,
        abortSignal: signal,
        showErrorAlert: false,
        showSuccessAlert: false,
      })
    );
    return answer.data;
  } catch (error) {
    if (signal?.aborted || isAborted(error)) {
      throw new DOMException('The page no longer needs this answer.', 'AbortError');
    }
    throw new ProblemError(toProblem(error));
  }
}

/**
 * What Grafana keeps now. The page does not use what Grafana gave it when it was opened: that may be older than what
 * was saved since.
 */
export async function getPluginSettings(signal?: AbortSignal): Promise<PluginSettings> {
  const { enabled, pinned, jsonData, secureJsonFields } = await ask<Partial<PluginSettings>>('GET', undefined, signal);
  return {
    enabled: enabled ?? false,
    pinned: pinned ?? false,
    jsonData: jsonData ?? {},
    secureJsonFields: secureJsonFields ?? {},
  };
}

export const savePluginSettings = (payload: Payload) => ask<unknown>('POST', payload);
