import program from '../package.json' with { type: 'json' };

export const VERSION = program.version;

/** Undefined when the service runs from source. */
export const COMMIT: string | undefined = process.env.PETSTORE_COMMIT;
