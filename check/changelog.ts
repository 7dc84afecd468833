type Section = { title: string; text: string };

const readSections = (changelog: string): Section[] =>
  changelog
    .split(/^## /m)
    .slice(1)
    .map((section) => {
      const [title = '', ...lines] = section.split('\n');
      return { title: title.trim(), text: lines.join('\n').trim() };
    });

const sectionOf = (changelog: string, name: string): Section | undefined =>
  readSections(changelog).find(({ title }) => title.split(' ')[0] === name);

const isEmpty = ({ text }: Section): boolean => text.replaceAll(/^#.*$/gm, '').trim() === '';

export const findChangelogFaults = (changelog: string, version: string): string[] => {
  const heading = `"## ${version} - <year>-<month>-<day>"`;
  const [unreleased, released] = [sectionOf(changelog, 'Unreleased'), sectionOf(changelog, version)];
  const faults: string[] = [];
  if (!released) faults.push(`CHANGELOG.md has no entry for ${version}; add the heading ${heading} and the changes`);
  else if (!/^\S+ - \d{4}-\d\d-\d\d$/.test(released.title))
    faults.push(`CHANGELOG.md has the heading "## ${released.title}" without a date; change it to ${heading}`);
  if (released && isEmpty(released)) faults.push(`CHANGELOG.md lists no changes for ${version}; add them`);
  if (unreleased && !isEmpty(unreleased))
    faults.push(`CHANGELOG.md has unreleased changes; move them from "## Unreleased" to ${heading}`);
  return faults;
};

/** Removes links to the repository's files, because they do not work where the release notes are published. */
export const renderNotes = (changelog: string, version: string): string => {
  const { title = version, text = '' } = sectionOf(changelog, version) ?? {};
  const notes = text.replaceAll(/\[([^\]]+)\]\((?![a-z]+:)[^)]+\)/g, '$1').replaceAll(/^#(#+ )/gm, '$1');
  const files =
    'Every program file has a bill of materials (`.cdx.json`) and its licences (`.licenses.txt`) next to it.';
  return `# Petstore ${title}\n\n${notes}\n\n## Files\n\nTo check your downloads: \`sha256sum -c --ignore-missing SHA256SUMS\`. ${files}\n`;
};
