/** Each instance that serves holds a lease of this name, followed by its own. */
export const INSTANCE = 'instance:';
