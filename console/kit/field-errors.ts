import { PetstoreError } from '../../client/src/index.ts';

/** What the service says is wrong, by the field of the body (`name`, `limits/perDay`) or the parameter. */
export const fieldErrors = (error: Error | null): Record<string, string> =>
  error instanceof PetstoreError
    ? Object.fromEntries(
        error.fields.map(({ pointer, parameter, header, detail }) => [
          pointer?.replace(/^#?\//, '') ?? parameter ?? header ?? '',
          detail,
        ]),
      )
    : {};
