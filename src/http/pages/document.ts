import type { Contract } from '../../kernel/contract.ts';

type Operation = { tags: readonly string[] };
type Paths = Record<string, Record<string, Operation>>;
type Document = { paths: Paths; webhooks: Paths; tags: readonly { name: string }[] };

export const loadDocument = async (contracts: readonly Contract[]): Promise<Document> => {
  const { default: document } = (await import('../../../openapi.json')) as unknown as { default: Document };
  const paths: Paths = {};
  for (const { path, method } of contracts) {
    const name = method.toLowerCase();
    const operation = document.paths[path]?.[name];
    if (!operation) throw new Error(`openapi.json lacks ${method} ${path}: run \`npm run generate\``);
    paths[path] = { ...paths[path], [name]: operation };
  }
  const operations = [paths, document.webhooks].flatMap(Object.values<Paths[string]>).flatMap(Object.values<Operation>);
  const tags = document.tags.filter(({ name }) => operations.some((operation) => operation.tags.includes(name)));
  return { ...document, tags, paths };
};
