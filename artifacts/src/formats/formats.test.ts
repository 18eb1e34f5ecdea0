import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type FormatSample, testFormat } from './format.conformance.ts'
import { FORMATS, findFormat } from './formats.ts'

const CODE = {
  text: `// First.\nimport a from 'a'\n\n/** Sums. */\nexport class Sum {\n  one() {\n    return 1\n  }\n\n  // Two.\n  two() {\n    return a\n  }\n}\n`,
  add: { op: 'addMember', target: 'class:Sum', fragment: 'three() {\n  return 3\n}' },
  replace: { op: 'replaceBody', target: 'class:Sum/method:one', fragment: '{\n    return 11\n  }' },
  remove: { op: 'remove', target: 'class:Sum/method:two' },
  reachingOut: { op: 'addMember', target: 'class:Sum', fragment: 'x() {} } class Other {' },
  broken: 'class {',
  nest: (depth) => `export const x = ${'['.repeat(depth)}${']'.repeat(depth)}\n`,
  filler: ' ',
} as const satisfies Omit<FormatSample, 'name'>

const JSON_SAMPLE = {
  text: `{\n  "name": "a",\n  "": {"x": [1, 2]},\n  "list": [\n    "one",\n    "two"\n  ]\n}\n`,
  add: { op: 'setValue', target: 'key:/key:y', value: { z: [] } },
  replace: { op: 'setValue', target: 'key:list/item:1', value: { deep: ['é', null] } },
  remove: { op: 'removeKey', target: 'key:list' },
  reachingOut: { op: 'addMember', target: 'key:', fragment: '"a": 1}, "b": {"c": 2' },
  broken: '{"a": 1, "a": 2}',
  nest: (depth) => `${'['.repeat(depth)}${']'.repeat(depth)}\n`,
  filler: ' ',
} as const satisfies Omit<FormatSample, 'name'>

const SAMPLES: readonly FormatSample[] = [
  ...['a.ts', 'a.mts', 'a.tsx', 'a.js'].map((name) => ({ ...CODE, name })),
  {
    ...CODE,
    name: 'a.d.ts',
    text: `// First.\nimport a from 'a'\n\n/** Sums. */\nexport interface Sum {\n  one(): 1\n\n  // Two.\n  two(): typeof a\n}\nexport type T = {\n  x: 1\n}\n`,
    add: { op: 'addMember', target: 'interface:Sum', fragment: 'three(): 3' },
    replace: { op: 'addMember', target: '', fragment: 'export type U = {\n  y: T\n}' },
    remove: { op: 'remove', target: 'interface:Sum/method:two' },
    reachingOut: { op: 'addMember', target: 'interface:Sum', fragment: 'x: 1 } interface Y {' },
    nest: (depth) => `export type X = ${'['.repeat(depth)}${']'.repeat(depth)}\n`,
  },
  { ...JSON_SAMPLE, name: 'a.json' },
  {
    ...JSON_SAMPLE,
    name: 'a.jsonc',
    text: `// Head.\n${JSON_SAMPLE.text.replace('"one",', '"one", // First.\n    /* Second. */')}`,
  },
  {
    name: 'a.yaml',
    text: `# Head.\nname: a\nlist:\n  # First.\n  - one # behind\n  - x: 1\n    y: 'two'\nflow: { a: [1, 2] }\nempty:\ntext: |\n  line\n\n  # no comment\nlast: {}\n`,
    add: { op: 'setValue', target: 'key:list/item:1/key:z', value: ['a: b', { c: 'd\ne' }] },
    replace: { op: 'setValue', target: 'key:list/item:0', value: { deep: ['é', null] } },
    remove: { op: 'removeKey', target: 'key:text' },
    reachingOut: { op: 'addMember', target: 'key:flow', fragment: 'b: 1}, {c: 2' },
    broken: 'a: 1\na: 2\n',
    nest: (depth) => `a: ${'['.repeat(depth)}${']'.repeat(depth)}\n`,
    filler: '\n',
  },
  {
    name: 'a.md',
    text: `---\na: 1\n---\n\nBefore.\n\n# One\n\nText [REQ-1].\n\n## Below\n\n- a\n\n### REQ-1 [must] Do\n\n\`\`\`examples\n| symbol | input | expected |\n|---|---|---|\n| f | 1 | 2 |\n\`\`\`\n\nTwo\n===\n\nEnd.\n`,
    add: {
      op: 'addSection',
      target: 'section:One',
      fragment: '## New\n\n\tcode\n\n### REQ-2 [should] x',
    },
    replace: {
      op: 'replaceSection',
      target: 'section:One/section:Below',
      // What is referred to stays: `REQ-1` is written anew.
      fragment:
        'Other.\n\n### REQ-1 [must] Deeper\n\n```examples\n| symbol | input | expected |\n|---|---|---|\n| f | 3 | 4 |\n```\n',
    },
    remove: { op: 'remove', target: 'section:One' },
    reachingOut: { op: 'replaceBody', target: 'section:One/text:intro', fragment: '```\nopen' },
    broken: '### REQ-1 [may] x\n',
    nest: (depth) => `${'>'.repeat(depth)} a\n`,
    filler: ' ',
  },
]

for (const sample of SAMPLES) testFormat(sample)

test('every format has a sample', () => {
  const missing = FORMATS.filter(
    ({ media }) => !SAMPLES.some(({ name }) => findFormat(name)?.media === media),
  )
  assert.deepEqual(missing, [])
})

test('configurations of TypeScript of any name are read with their comments, and other JSON is not', () => {
  const text = '{\n  // Why.\n  "a": 1,\n}\n'
  const names = [
    'tsconfig.json',
    'src/tsconfig.cjs.spec.json',
    'jsconfig.json',
    'tsconfig.base.json',
  ]
  for (const name of names) assert.ok(findFormat(name)?.parse(text).ok, name)
  for (const name of ['a.json', 'tsconfig/a.json', 'mytsconfig.a.json'])
    assert.equal(findFormat(name)?.parse(text).ok, false, name)
})
