import { visitorKeys } from 'oxc-parser';
import { type Part, type Passage, splitAtCode } from './passage.ts';

export type Node = { type: string; start: number; end: number } & Record<string, unknown>;

const isNode = (value: unknown): value is Node => typeof (value as Node | null)?.type === 'string';

type Text = Node & { type: 'Literal' | 'TemplateLiteral' };

const isText = (node: unknown): node is Text =>
  isNode(node) && ((node.type === 'Literal' && typeof node.value === 'string') || node.type === 'TemplateLiteral');

const namesOf = (node: unknown): string[] => {
  if (!isNode(node)) return [];
  if (typeof node.name === 'string') return [node.name];
  return [...namesOf(node.object ?? node.callee ?? node.tag), ...namesOf(node.property)];
};

const value = (start: number, end: number): Part => ({ start, end, text: '{…}', isCode: true });

const textParts = (node: Node, text: string): Part[] => {
  const parts: Part[] = [];
  let at = node.start + 1;
  for (const { start, end } of (node.expressions as Node[] | undefined) ?? []) {
    const [opening, closing] = [text.lastIndexOf('${', start), text.indexOf('}', end) + 1];
    parts.push(...splitAtCode(text.slice(at, opening), at), value(opening, closing));
    at = closing;
  }
  return [...parts, ...splitAtCode(text.slice(at, node.end - 1), at)];
};

const operandsOf = (node: Node): Node[] =>
  node.type === 'BinaryExpression' && node.operator === '+'
    ? [node.left, node.right].filter(isNode).flatMap(operandsOf)
    : [node];

const splitAtTags = (parts: readonly Part[]): Part[][] => {
  const passages: Part[][] = [[]];
  let isInTag = false;
  for (const part of parts) {
    if (part.isCode && !isInTag) passages.at(-1)?.push(part);
    if (part.isCode) continue;
    for (const { 0: piece, index } of part.text.matchAll(/<[/a-z!][^>]*>?|[^<>]+|[<>]/g)) {
      const start = part.start + index;
      if (/^<[/a-z!]/.test(piece) || isInTag) {
        isInTag = isInTag ? !piece.includes('>') : !piece.endsWith('>');
        passages.push([]);
      } else passages.at(-1)?.push({ start, end: start + piece.length, text: piece, isCode: false });
    }
  }
  return passages;
};

const TESTS = ['describe', 'test', 'it', 'inChromium', 'proof'];

const UNREAD: Record<string, readonly string[]> = {
  ImportDeclaration: ['source'],
  ExportNamedDeclaration: ['source'],
  ExportAllDeclaration: ['source'],
  ImportExpression: ['source'],
  TSImportType: ['source', 'argument'],
  TSLiteralType: ['literal'],
  TSTemplateLiteralType: ['quasis'],
  TaggedTemplateExpression: ['quasi'],
  MemberExpression: ['property'],
  Property: ['key'],
  SwitchCase: ['test'],
};
const ATTRIBUTE_OF_MACHINES =
  /^(?:class|className|href|to|id|type|role|rel|key|d|viewBox|style|method|target|src|data-.*)$/;

export const stringPassages = (program: Node, text: string): Passage[] => {
  const found: Passage[] = [];
  const add = (kind: Passage['kind'], parts: Part[], context: readonly string[]) =>
    found.push({ kind, parts, context });

  const visitAll = (nodes: readonly unknown[], context: readonly string[]): void => {
    for (const node of nodes) if (isNode(node)) visit(node, context);
  };

  const addJoined = (node: Node, context: readonly string[]): void => {
    const operands = operandsOf(node);
    if (operands.some(isText)) {
      const parts = operands.flatMap((each) => (isText(each) ? textParts(each, text) : [value(each.start, each.end)]));
      add('string', parts, context);
    }
    visitAll(
      operands.flatMap((each) => (isText(each) ? ((each.expressions as Node[]) ?? []) : [each])),
      context,
    );
  };

  const addChildren = (children: readonly Node[], context: readonly string[]): void => {
    const isWords = (child: Node) => child.type === 'JSXText' && /\p{L}/u.test(child.value as string);
    if (!children.some(isWords)) return;
    const parts = children.flatMap((child) =>
      child.type === 'JSXText'
        ? splitAtCode(text.slice(child.start, child.end), child.start)
        : [value(child.start, child.end)],
    );
    add('string', parts, context);
  };

  const visitInside = (node: Node, names: readonly string[], context: readonly string[]): void => {
    const unread = UNREAD[node.type] ?? [];
    const keys = (visitorKeys[node.type] ?? []).filter((key) => !unread.includes(key));
    const children = keys.flatMap((key) => node[key] as unknown[]);
    visitAll(children, names.length > 0 ? [names.join('.'), ...context] : context);
  };

  const visit = (node: Node, context: readonly string[]): void => {
    const { type } = node;
    const names = namesOf(node.callee ?? node.tag ?? (type === 'Property' && node.key));
    const [first, ...others] = (node.arguments as Node[] | undefined) ?? [];
    if (isText(node) || (type === 'BinaryExpression' && node.operator === '+')) addJoined(node, context);
    else if (type === 'BinaryExpression') {
      visitAll(
        [node.left, node.right].filter((side) => !isText(side)),
        context,
      );
    } else if (type === 'CallExpression' && TESTS.includes(names[0] ?? '') && isText(first)) {
      add('title', textParts(first, text), []);
      visitAll([node.callee, ...others], context);
    } else if (type === 'TaggedTemplateExpression' && names[0] === 'html') {
      const quasi = node.quasi as Node;
      for (const parts of splitAtTags(textParts(quasi, text))) add('string', parts, context);
      visitAll(quasi.expressions as Node[], context);
    } else if (type !== 'JSXAttribute' || !ATTRIBUTE_OF_MACHINES.test(String((node.name as Node).name))) {
      if (type === 'JSXElement' || type === 'JSXFragment') addChildren(node.children as Node[], context);
      visitInside(node, names, context);
    }
  };
  visit(program, []);
  return found;
};
