import React from 'react';

import {
  DataFrame,
  Field,
  FieldType,
  formattedValueToString,
  getDisplayProcessor,
  getFieldDisplayName,
} from '@grafana/data';
import { useTheme2 } from '@grafana/ui';

/** Frames as any table of Grafana would write them: display names, units, notices. */
export function Frames({ frames }: { frames: DataFrame[] }) {
  const theme = useTheme2();
  const write = (field: Field, value: unknown) => {
    if (value === null || value === undefined) {
      return '';
    }
    const display = getDisplayProcessor({ field, theme, timeZone: 'utc' });
    return field.type === FieldType.string ? String(value) : formattedValueToString(display(value));
  };
  return (
    <>
      {frames.map((frame, number) => (
        <section key={number} aria-label={`Frame ${frame.name ?? number}`}>
          {frame.meta?.notices?.map((notice) => (
            <p key={notice.text}>{`${notice.severity}: ${notice.text}`}</p>
          ))}
          <table>
            <thead>
              <tr>
                {frame.fields.map((field, column) => (
                  <th key={column} scope="col">
                    {getFieldDisplayName(field, frame, frames)}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {Array.from({ length: Math.min(frame.length, 50) }, (_, row) => (
                <tr key={row}>
                  {frame.fields.map((field, column) => (
                    <td key={column} style={{ padding: '0 8px' }}>
                      {write(field, field.values[row])}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      ))}
    </>
  );
}
