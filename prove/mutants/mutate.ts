import { parseSync, visitorKeys } from 'oxc-parser';
import { type Edit, editText } from './mutate-text.ts';

export type Mutant = {
  file: string;
  line: number;
  on: string;
  change: string;
  nth: number;
  text: string;
};

type Node = { type: string; start: number; end: number } & Record<string, unknown>;
type Place = { node: Node; parent: Node; source: string; file: string };

const OTHER_OPERATOR: Readonly<Record<string, string>> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
  '%': '*',
  '&&': '||',
  '||': '&&',
  '??': '&&',
  '+=': '-=',
  '-=': '+=',
  '||=': '&&=',
  '??=': '=',
};

const OTHER_METHOD = new Map([
  ['max', 'min'],
  ['min', 'max'],
  ['some', 'every'],
  ['every', 'some'],
  ['ceil', 'floor'],
  ['floor', 'ceil'],
  ['startsWith', 'endsWith'],
]);

const OPERATORS = ['BinaryExpression', 'LogicalExpression', 'UnaryExpression'];

const CODE = /^[a-z][a-z0-9]*([_.:-][a-z0-9]+)*$/;

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';

const isText = (value: unknown): boolean =>
  isNode(value) &&
  (value.type === 'TemplateLiteral' ||
    (value.type === 'Literal' && typeof value.value === 'string') ||
    (value.type === 'BinaryExpression' && (isText(value.left) || isText(value.right))));

const nameOf = (callee: unknown): unknown =>
  isNode(callee) && callee.type === 'MemberExpression' ? (callee.property as Node).name : (callee as Node).name;

const otherOperator = ({ node, source }: Place): Edit[] => {
  const operator = String(node.operator);
  const text = OTHER_OPERATOR[operator];
  if (text === undefined || (operator === '+' && (isText(node.left) || isText(node.right)))) return [];
  const start = source.indexOf(operator, (node.left as Node).end);
  return [{ start, end: start + operator.length, text }];
};

const hasOperator = ({ type }: Node): boolean => OPERATORS.includes(type);

const neverSo = ({ node }: Place): Edit[] => {
  const { start, end } = node.test as Node;
  return [{ start, end, text: 'false' }];
};

const isSign = ({ type, consequent, alternate }: Node): boolean =>
  type === 'ConditionalExpression' &&
  (consequent as Node).type === 'UnaryExpression' &&
  (alternate as Node).value === 1;

const otherBranch = ({ node, source }: Place): Edit[] => {
  const test = node.test as Node;
  return hasOperator(test) && !isSign(node)
    ? []
    : [{ start: test.start, end: test.end, text: `!(${source.slice(test.start, test.end)})` }];
};

const REMOVABLE = ['CallExpression', 'AwaitExpression', 'AssignmentExpression', 'UpdateExpression', 'UnaryExpression'];

const removed = ({ node }: Place): Edit[] =>
  REMOVABLE.includes((node.expression as Node).type) ? [{ start: node.start, end: node.end, text: ';' }] : [];

const isCode = (value: string, node: Node, parent: Node): boolean => {
  if (!CODE.test(value)) return false;
  if (parent.type === 'Property') return parent.value === node;
  const isFirst = (parent.arguments as Node[] | undefined)?.[0] === node;
  if (parent.type === 'CallExpression') return isFirst && nameOf(parent.callee) === 'faulty';
  if (parent.type === 'NewExpression') return isFirst;
  return ['BinaryExpression', 'ArrayExpression', 'ConditionalExpression'].includes(parent.type);
};

const otherLiteral = ({ node, parent, source, file }: Place): Edit[] => {
  const { value, start, end } = node;
  const by = (text: string): Edit[] => [{ start, end, text }];
  if (typeof value === 'boolean') return by(String(!value));
  if (typeof value === 'number') return by(String(value + 1));
  if (typeof value === 'bigint') return by(`${value + 1n}n`);
  if (typeof value !== 'string') return [];
  if (isCode(value, node, parent)) return by(`'mutant'`);
  return editText(file, start, source.slice(start, end));
};

const withoutLock = ({ node: { property, start, end } }: Place): Edit[] =>
  (property as Node).name === 'lockRows' ? [{ start, end, text: `''` }] : [];

const withoutEach = (name: unknown, columns: unknown): Edit[] =>
  name === 'equal' && isNode(columns) && columns.type === 'ObjectExpression'
    ? (columns.properties as Node[]).flatMap(({ key, start, end }) =>
        isNode(key) ? [{ start, end, text: `${key.name}: undefined` }] : [],
      )
    : [];

const RULES: Readonly<Record<string, (place: Place) => Edit[]>> = {
  BinaryExpression: otherOperator,
  LogicalExpression: otherOperator,
  AssignmentExpression: otherOperator,
  UnaryExpression: ({ node }) => (node.operator === '!' ? [{ start: node.start, end: node.start + 1, text: '' }] : []),
  IfStatement: neverSo,
  ConditionalExpression: otherBranch,
  ExpressionStatement: removed,
  Literal: otherLiteral,
  TemplateElement: ({ node: { start, end }, source, file }) => editText(file, start, source.slice(start, end)),
  MemberExpression: withoutLock,
  VariableDeclarator: ({ node: { id, init } }) => withoutEach((id as Node).name, init),
  Property: ({ node: { key, value } }) => withoutEach((key as Node).name, value),
  CallExpression({ node: { callee } }) {
    const text = OTHER_METHOD.get(String(nameOf(callee)));
    if (!text || (callee as Node).type !== 'MemberExpression') return [];
    const { start, end } = (callee as Node).property as Node;
    return [{ start, end, text }];
  },
};

const childrenOf = (node: Node): unknown[] => {
  if (node.type === 'CallExpression' && /^(meta|describe)$/.test(String(nameOf(node.callee)))) return [node.callee];
  if (node.type === 'ImportDeclaration' || node.type === 'ImportExpression' || isSign(node)) return [];
  return (visitorKeys[node.type] ?? []).flatMap((key) => node[key]);
};

const hasEffect = ({ type }: Node): boolean => !type.startsWith('TS') || /^TS\w+Expression$/.test(type);

const editsIn = (place: Place): Edit[] => [
  ...(RULES[place.node.type]?.(place) ?? []),
  ...childrenOf(place.node)
    .filter(isNode)
    .filter(hasEffect)
    .flatMap((node) => editsIn({ ...place, node, parent: place.node })),
];

const shorten = (text: string): string => {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length > 60 ? `${line.slice(0, 59)}…` : line || 'nothing';
};

const showChange = (source: string, { start, end, text }: Edit): string =>
  text === ';'
    ? `without ${shorten(source.slice(start, end))}`
    : `${shorten(source.slice(start, end))} → ${shorten(text)}`;

export const mutantsOf = (file: string, source: string): Mutant[] => {
  const program = parseSync(file, source).program as unknown as Node;
  const seen = new Map<string, number>();
  const numberOf = (name: string): number => {
    const number = (seen.get(name) ?? 0) + 1;
    seen.set(name, number);
    return number;
  };
  return editsIn({ node: program, parent: program, source, file })
    .map((edit) => ({ edit, text: source.slice(0, edit.start) + edit.text + source.slice(edit.end) }))
    .filter(({ text }) => parseSync(file, text).errors.length === 0)
    .sort((one, other) => one.edit.start - other.edit.start)
    .map(({ edit, text }) => {
      const line = source.slice(0, edit.start).split('\n').length;
      const on = (source.split('\n')[line - 1] ?? '').trim();
      const change = showChange(source, edit);
      return { file, line, on, change, nth: numberOf(`${on} ${change}`), text };
    });
};
