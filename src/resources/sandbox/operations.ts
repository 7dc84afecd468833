import { resetSandbox } from './reset-sandbox.ts';

export const sandboxOperations = [resetSandbox];
