import assert from 'node:assert/strict'
import { test } from 'node:test'
import { askRefused, askWell, listTexts, planDeltasOf } from './desk.test-support.ts'
import { createDirectDesk } from './direct-desk.ts'

const desk = createDirectDesk()

const TEXTS = {
  'src/auth.ts': `import { hash } from './hash.ts'

export class AuthService {
  login(name: string): boolean {
    return check(name)
  }
}

export function check(name: string): boolean {
  return hash(name) !== ''
}
`,
  'src/hash.ts': `export function hash(text: string): string {
  return text
}
`,
  'src/page.ts': `import { AuthService, check } from './auth.ts'

export function show(name: string): string {
  return check(name) ? 'in' : 'out'
}

export function enter(service: AuthService): boolean {
  return service.login('x')
}
`,
}

test('a rename names every symbol in whose text the name stands, in every artifact', async () => {
  const { changes } = await planDeltasOf(desk, 'a', TEXTS, {
    'src/auth.ts': [{ op: 'rename', target: 'function:check', name: 'verify' }],
  })
  assert.deepEqual(
    changes.flatMap(({ symbols }) => symbols),
    [
      'src/auth.ts class:AuthService/method:login',
      'src/auth.ts function:check',
      'src/auth.ts function:verify',
      'src/page.ts function:show',
      'src/page.ts import:.%2Fauth.ts',
    ],
  )
  assert.match(
    changes[1]?.after ?? '',
    /import \{ AuthService, verify \}[\s\S]*return verify\(name\)/u,
  )
  assert.equal(changes[1]?.deltas, null)
})

test('a rename names the symbol whose comment has the name in it', async () => {
  const texts = {
    'a.ts':
      'export function one(): void {}\n\n/** As {@link one}. */\nexport function two(): void {}\n',
  }
  const { changes } = await planDeltasOf(desk, 'a', texts, {
    'a.ts': [{ op: 'rename', target: 'function:one', name: 'first' }],
  })
  assert.match(changes[0]?.after ?? '', /@link first/u)
  assert.deepEqual(changes[0]?.symbols, [
    'a.ts function:first',
    'a.ts function:one',
    'a.ts function:two',
  ])
})

test('a rename of what a list exports is followed by those who import it', async () => {
  const texts = {
    'a.ts': 'function one(): void {}\n\nexport { one }\n',
    'b.ts': "import { one } from './a.ts'\n\none()\n",
  }
  const { changes } = await planDeltasOf(desk, 'a', texts, {
    'a.ts': [
      { op: 'rename', target: 'function:one', name: 'two' },
      { op: 'replaceBody', target: 'function:two', fragment: '{ return }' },
    ],
  })
  assert.deepEqual(
    changes.map(({ after }) => after),
    [
      'function two(): void { return }\n\nexport { two }\n',
      "import { two } from './a.ts'\n\ntwo()\n",
    ],
  )
})

test('what an artifact elsewhere still names is not removed', async () => {
  const remove = (target: string) => ({
    ask: 'plan' as const,
    key: 'a',
    changes: [
      {
        text: { artifact: 'src/auth.ts', text: TEXTS['src/auth.ts'] },
        deltas: [{ op: 'remove', target }],
      },
    ],
    project: listTexts(TEXTS, ['src/auth.ts']),
  })
  const member = await askRefused(desk, remove('class:AuthService/method:login'))
  assert.equal(member.code, 'DANGLING_REFERENCE')
  assert.deepEqual([member.artifact, member.at], ['src/page.ts', { line: 8, column: 18 }])
  const whole = await askRefused(desk, remove('class:AuthService'))
  assert.equal(whole.code, 'DANGLING_REFERENCE')
  assert.deepEqual([whole.artifact, whole.at], ['src/page.ts', { line: 1, column: 10 }])
})

test('a name that the project does not export is not imported', async () => {
  const deltas = [
    { op: 'addImport', from: './hash.ts', name: 'salt' },
    { op: 'replaceBody', target: 'function:check', fragment: "{ return hash(salt) !== '' }" },
  ]
  const problem = await askRefused(desk, {
    ask: 'plan',
    key: 'a',
    changes: [{ text: { artifact: 'src/auth.ts', text: TEXTS['src/auth.ts'] }, deltas }],
    project: listTexts(TEXTS, ['src/auth.ts']),
  })
  assert.equal(problem.code, 'DANGLING_REFERENCE')
  assert.match(problem.detail, /`salt` of `\.\/hash\.ts`/u)
})

test('what says nothing of its exports may be imported, and a name that two export is exported by none', async () => {
  const texts = {
    'a.ts': 'export const a = 1\n',
    'b.ts': 'export const b = 1\n',
    'all.ts': "export * from './a.ts'\nexport * from './b.ts'\n",
    'data.json': '{ "a": 1 }\n',
    'use.ts': "import { a } from './all.ts'\n\nexport const c = a\n",
  }
  await planDeltasOf(desk, 'a', texts, {
    'use.ts': [{ op: 'addImport', from: './data.json', name: 'default', as: 'data' }],
  })
  const problem = await askRefused(desk, {
    ask: 'plan',
    key: 'a',
    changes: [
      {
        text: { artifact: 'b.ts', text: texts['b.ts'] },
        deltas: [{ op: 'addMember', target: '', fragment: 'export const a = 2' }],
      },
    ],
    project: listTexts(texts, ['b.ts']),
  })
  assert.deepEqual([problem.code, problem.artifact], ['DANGLING_REFERENCE', 'use.ts'])
})

test('what changes only imports names the artifact; what is put in is named by the path that it gets', async () => {
  const imports = await planDeltasOf(desk, 'a', TEXTS, {
    'src/page.ts': [{ op: 'addImport', from: './hash.ts', name: 'hash' }],
  })
  assert.deepEqual(imports.changes[0]?.symbols, ['src/page.ts'])
  const member = await planDeltasOf(desk, 'a', TEXTS, {
    'src/auth.ts': [
      { op: 'addMember', target: 'class:AuthService', fragment: 'logout(): void {}' },
      { op: 'replaceBody', target: 'class:AuthService/method:logout', fragment: '{ return }' },
    ],
  })
  assert.deepEqual(member.changes[0]?.symbols, ['src/auth.ts class:AuthService/method:logout'])
})

test('deltas of several artifacts are one change: each sees what those before it did', async () => {
  const { changes } = await planDeltasOf(desk, 'a', TEXTS, {
    'src/hash.ts': [{ op: 'addMember', target: '', fragment: "export const salt = 'x'" }],
    'src/auth.ts': [
      { op: 'addImport', from: './hash.ts', name: 'salt' },
      { op: 'replaceBody', target: 'function:check', fragment: "{ return hash(salt) !== '' }" },
    ],
  })
  assert.deepEqual(
    changes.map(({ artifact }) => artifact),
    ['src/hash.ts', 'src/auth.ts'],
  )
})

test('a value that its schema does not allow is refused, in JSON and in YAML', async () => {
  const schema = {
    type: 'object',
    properties: { retries: { type: 'integer', maximum: 5 } },
    additionalProperties: false,
  }
  for (const [artifact, text] of [
    ['a.json', '{ "retries": 1 }\n'],
    ['a.yaml', 'retries: 1\n'],
  ] as const) {
    const plan = (value: number) => ({
      ask: 'plan' as const,
      key: 'a',
      changes: [
        {
          text: { artifact, text, schema },
          deltas: [{ op: 'setValue', target: 'key:retries', value }],
        },
      ],
      project: [],
    })
    assert.deepEqual((await askWell(desk, plan(5))).changes[0]?.symbols, [
      `${artifact} key:retries`,
    ])
    const problem = await askRefused(desk, plan(6))
    assert.equal(problem.code, 'SCHEMA_VIOLATION')
    assert.match(problem.detail, /`\/retries` must be <= 5/u)
  }
})

test('deltas that are none, and texts that are none, are refused with their place', async () => {
  const text = { artifact: 'a.ts', text: 'export const a = 1\n' }
  const form = await askRefused(desk, {
    ask: 'plan',
    key: 'a',
    changes: [{ text, deltas: [{ op: 'remove', target: 'variable:a' }, { op: 'burn' }] }],
    project: [],
  })
  assert.deepEqual([form.code, form.index], ['DELTA_MALFORMED', 1])
  const broken = await askRefused(desk, {
    ask: 'symbols',
    text: { artifact: 'a.ts', text: 'const a = 1\nconst = 2\n' },
  })
  assert.equal(broken.code, 'ARTIFACT_UNREADABLE')
  assert.equal(broken.at?.line, 2)
})
