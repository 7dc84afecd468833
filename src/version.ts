import program from '../package.json' with { type: 'json' };

/** The version of the program, which is also that of the interface. */
export const VERSION = program.version;

/** The commit that a built file is made of; run from its source, the program has the files before it. */
export const COMMIT: string | undefined = process.env.PETSTORE_COMMIT;
