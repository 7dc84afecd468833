import { accessSync, constants, lchownSync, lstatSync, readdirSync, readFileSync, type Stats, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { type Finding, ok, warning, wrong } from '../../kernel/finding.ts';
import { tryTo } from '../../kernel/runtime.ts';

const isRoot = (): boolean => process.geteuid?.() === 0;

const nameUser = (uid: number | undefined): string => {
  const users = tryTo(() => readFileSync('/etc/passwd', 'utf8').split('\n'));
  const name = users?.find((line) => line.split(':')[2] === String(uid))?.split(':')[0];
  return name === undefined ? String(uid) : `${name} (${uid})`;
};

/**
 * If root created the file, the file is given to the folder's owner, so that the service's user can open it. Symbolic
 * links and files with several hard links are skipped, because an attacker could use them to make root change the owner
 * of any file.
 */
export const inheritOwner = (path: string): void => {
  if (!isRoot()) return;
  const [made, folder] = [lstatSync(path), statSync(dirname(path))];
  const isOwn = made.uid === 0 && (made.isDirectory() || (made.isFile() && made.nlink === 1));
  if (!isOwn || (folder.uid === 0 && made.gid === folder.gid)) return;
  try {
    lchownSync(path, folder.uid, folder.gid);
  } catch (error) {
    process.emitWarning(
      `${path} is owned by root, but its folder is owned by ${nameUser(folder.uid)}: ${(error as Error).message}; ` +
        `run chown ${folder.uid}:${folder.gid} ${path} as a user who may change file owners`,
    );
  }
};

export const nearestFolder = (path: string): string => {
  let folder = dirname(resolve(path));
  while (!tryTo(() => statSync(folder).isDirectory())) folder = dirname(folder);
  return folder;
};

/** Skips links, because `chown` would follow them. */
const filesOf = (path: string): string[] =>
  tryTo(() => {
    const names = readdirSync(dirname(path)).filter((name) => name.startsWith(basename(path)));
    const files = names.sort().map((name) => join(dirname(path), name));
    return files.filter((file) => lstatSync(file).isFile());
  }) ?? [];

const mayUse = (path: string, mode: number): boolean =>
  tryTo(() => {
    accessSync(path, mode);
    return true;
  }) ?? false;

const mayUseFolder = (folder: string): boolean => mayUse(folder, constants.W_OK | constants.X_OK);
const mayUseFile = (file: string): boolean => mayUse(file, constants.R_OK | constants.W_OK);

const findDenied = (path: string): { found: string; advice: string } | undefined => {
  const folder = nearestFolder(path);
  const denied = mayUseFolder(folder) ? filesOf(path).filter((file) => !mayUseFile(file)) : [folder];
  const [first] = denied;
  if (first === undefined) return undefined;
  const { uid } = lstatSync(first);
  const [owner, user] = [nameUser(uid), nameUser(process.geteuid?.())];
  const found = `${first} belongs to ${owner}, but this process runs as ${user}`;
  // The advice never suggests running the service as root.
  const switchUser = uid === 0 ? '' : `run petstore as ${owner}, or `;
  // The advice never suggests `chown` for the folder, because the folder may be a system folder.
  if (first === folder)
    return { found, advice: `${switchUser}set DATABASE_URL to a file in a folder owned by ${user}` };
  const chown = `chown ${process.geteuid?.()}:${process.getegid?.()} ${denied.join(' ')}`;
  return { found, advice: `${switchUser}run ${chown} as root` };
};

export const diagnoseFolder = (path: string): Finding => {
  const folder = nearestFolder(path);
  if (mayUseFolder(folder)) return ok('folder', `${folder} is writable`);
  return wrong('folder', `this user cannot write to ${folder}`, "run petstore as the service's user");
};

export const explainAccess = (path: string): string => {
  const denied = findDenied(path);
  return denied ? `; ${denied.found}: ${denied.advice}` : '';
};

const mayBeUsedBy = (user: Stats, { uid, gid, mode }: Stats): boolean => {
  const shift = uid === user.uid ? 6 : gid === user.gid ? 3 : 0;
  return user.uid === 0 || ((mode >> shift) & 6) === 6;
};

export const diagnoseOwner = (path: string): Finding => {
  const denied = findDenied(path);
  if (denied) return wrong('owner', denied.found, denied.advice);
  const folder = statSync(nearestFolder(path));
  const [user, files] = [nameUser(folder.uid), filesOf(path)];
  const closed = isRoot() ? files.filter((file) => !mayBeUsedBy(folder, lstatSync(file))) : [];
  const [first] = closed;
  if (first === undefined) return ok('owner', `${isRoot() ? user : nameUser(process.geteuid?.())} can open all files`);
  const found = `the folder belongs to ${user}, but that user cannot open ${first}, which belongs to ${nameUser(lstatSync(first).uid)}`;
  const advice = `if the service runs as ${user}: chown ${folder.uid}:${folder.gid} ${closed.join(' ')}`;
  return warning('owner', found, advice);
};
