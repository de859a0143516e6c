/** What a panel can show. */
export const PARTS = ['answers', 'table', 'time'] as const;
export type Part = (typeof PARTS)[number];

export interface EvidenceOptions {
  /** Sides by id, or text with dashboard variables. */
  baseline: string;
  candidate: string;
  /** Empty means the first profile that the app has. */
  profile: string;
  parts: Part[];
}

export const DEFAULTS: EvidenceOptions = {
  baseline: '$baseline',
  candidate: '$candidate',
  profile: '',
  parts: [...PARTS],
};

/** How much of the answers there is room for: the words, their headlines too, or basis and next step as well. */
export type Detail = 'words' | 'headlines' | 'full';

export interface Layout {
  answers: Detail | null;
  table: boolean;
  time: boolean;
  /** True when something the user picked does not fit. */
  cut: boolean;
}

// In CSS pixels of the panel's content. Below the first pair only words fit; the others hold a chart or the first rows
// of the table without scrolling both ways.
const HEADLINES = { width: 380, height: 110 };
const FULL = { width: 640, height: 300 };
const PICTURE = { width: 340, height: 170 };

const fits = (width: number, height: number, least: { width: number; height: number }) =>
  width >= least.width && height >= least.height;

/**
 * Decides by the size of the panel what is shown of the parts that the user picked. When no part fits, the three words
 * are shown, which always do.
 */
export function layoutOf(parts: readonly Part[], width: number, height: number): Layout {
  const picked = (part: Part) => parts.includes(part);
  // Pictures share the panel with the answers, so they need room below them.
  const room = { width, height: picked('answers') ? height - HEADLINES.height : height };
  const picture = fits(room.width, room.height, PICTURE);
  const table = picked('table') && picture;
  const time = picked('time') && picture;
  const cut = (picked('table') && !table) || (picked('time') && !time);
  const answers = picked('answers') || (!table && !time);
  const detail = (): Detail => {
    // Basis and next step only where nothing else competes for the room, or where there is plenty of it.
    const alone = !table && !time;
    if (fits(width, height, { width: FULL.width, height: alone ? FULL.height : 2 * FULL.height })) {
      return 'full';
    }
    return fits(width, height, HEADLINES) ? 'headlines' : 'words';
  };
  return { answers: answers ? detail() : null, table, time, cut };
}
