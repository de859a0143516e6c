// How text leaves the page: to the clipboard or as a file.

/** Copies text. Browsers offer their clipboard to secure pages only; Grafana over plain HTTP needs the older way. */
export async function copyText(text: string): Promise<void> {
  if (navigator.clipboard && window.isSecureContext) {
    await navigator.clipboard.writeText(text);
    return;
  }
  const area = document.createElement('textarea');
  area.value = text;
  area.style.position = 'fixed';
  area.style.opacity = '0';
  document.body.append(area);
  area.select();
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- the only way on a page that is not secure
  const done = document.execCommand('copy');
  area.remove();
  if (!done) {
    throw new Error('The browser did not allow copying. Export the file instead.');
  }
}

/** Hands text to the browser as a file. */
export function download(text: string, name: string, type: string): void {
  const address = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // Some browsers read the address only after this turn of the event loop.
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}
