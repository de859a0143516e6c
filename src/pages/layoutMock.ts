/** jsdom lays nothing out and measures no text: this gives every element a size, and every text a width. */
export function mockLayout() {
  beforeAll(() => {
    // A viewport for what scrolls, and the height of a line for what stands in it.
    jest.spyOn(Element.prototype, 'clientHeight', 'get').mockReturnValue(600);
    jest.spyOn(Element.prototype, 'clientWidth', 'get').mockReturnValue(1200);
    jest.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(50);
    const context = { measureText: (text: string) => ({ width: 8 * text.length }) };
    jest
      .spyOn(HTMLCanvasElement.prototype, 'getContext')
      .mockReturnValue(context as unknown as ReturnType<HTMLCanvasElement['getContext']>);
  });
  afterAll(() => jest.restoreAllMocks());
}
