import program from '../package.json' with { type: 'json' };

/** The version of the program, which is also that of the interface. */
export const VERSION = program.version;
