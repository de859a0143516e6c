import type { ComponentProps } from 'react';
import { parsePath, unstable_HistoryRouter as HistoryRouter } from 'react-router-dom';

import { locationService } from '@grafana/runtime';

type RouterHistory = ComponentProps<typeof HistoryRouter>['history'];

/** Version 4 of the package history, as far as it differs from what the router knows. */
interface OldHistory extends Omit<RouterHistory, 'listen'> {
  listen(listener: (location: RouterHistory['location'], action: RouterHistory['action']) => void): () => void;
}

/**
 * The history of @grafana/runtime for a router that expects the next version of it: the old one tells its listeners
 * location and action apart, the new one in one object.
 */
export function routerHistory(): RouterHistory {
  const history: OldHistory = locationService.getHistory();
  // The old one takes parts of an address only; the router also asks with text.
  const href = (to: Parameters<RouterHistory['createHref']>[0]) =>
    history.createHref(typeof to === 'string' ? parsePath(to) : to);
  return {
    get action() {
      return history.action;
    },
    get location() {
      return history.location;
    },
    createHref: href,
    createURL: (to) => new URL(href(to), document.baseURI),
    encodeLocation: (to) => {
      const { pathname, search, hash } = new URL(href(to), document.baseURI);
      return { pathname, search, hash };
    },
    push: (to, state) => history.push(to, state),
    replace: (to, state) => history.replace(to, state),
    go: (steps) => history.go(steps),
    listen: (listener) => history.listen((location, action) => listener({ location, action, delta: null })),
  };
}
