import program from '../package.json' with { type: 'json' };

export const VERSION = program.version;

export const COMMIT: string | undefined = process.env.PETSTORE_COMMIT;
