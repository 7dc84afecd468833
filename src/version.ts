import program from '../package.json' with { type: 'json' };

/** The version of the program, which is also the version of the API. */
export const VERSION = program.version;

/** The commit that an executable was built from. Undefined when run from source. */
export const COMMIT: string | undefined = process.env.PETSTORE_COMMIT;
