import assert from 'node:assert/strict'
import { test } from 'node:test'
import { generateProject } from './generated-project.test-support.ts'
import { planProjectRename } from './plan-project-rename.ts'
import { applyPlan, createTestProject } from './project.test-support.ts'

const TARGET = { artifact: 'src/a.ts', path: 'function:alpha' }

function rename(texts: Readonly<Record<string, string>>, name = 'omega') {
  const project = createTestProject(texts)
  const planned = planProjectRename(project, TARGET, name)
  return planned.ok ? applyPlan(project, planned.value) : planned.error
}

test('a symbol of a generated project has its new name everywhere and nowhere else', () => {
  for (let seed = 0; seed < 200; seed += 1) {
    const { write, path, artifact } = generateProject(seed)
    const project = createTestProject(write('alpha'))
    const planned = planProjectRename(project, { artifact, path: path('alpha') }, 'omega')
    assert.ok(planned.ok, `seed ${seed}: ${JSON.stringify(planned)}`)
    assert.deepEqual(applyPlan(project, planned.value), write('omega'), `seed ${seed}`)
  }
})

test('a default import changes with the symbol if it has its name, and stays if it has one of its own', () => {
  const texts = {
    'src/a.ts': 'export default function alpha() { return alpha }\n',
    'src/b.ts': `import other from './a.ts'\nother()\n`,
    'src/c.ts': `import alpha from './a.ts'\nalpha()\nexport { alpha }\n`,
    'src/d.ts': `import { alpha } from './c.ts'\nimport { default as beta } from './a.ts'\nalpha(beta)\n`,
    'src/e.ts': `export { default as alpha } from './a.ts'\nexport { default } from './a.ts'\n`,
    'src/f.ts': `import alpha from './e.ts'\nalpha()\n`,
  }
  assert.deepEqual(rename(texts), {
    ...texts,
    'src/a.ts': 'export default function omega() { return omega }\n',
    'src/c.ts': `import omega from './a.ts'\nomega()\nexport { omega }\n`,
    'src/d.ts': `import { omega } from './c.ts'\nimport { default as beta } from './a.ts'\nomega(beta)\n`,
  })
})

test('documentation that names the symbol gets the name, other words of it do not', () => {
  const texts = {
    'src/a.ts': '/** {@link alpha} is alpha. */\nexport function alpha() {}\n',
    'src/b.ts': `import { alpha } from './a.ts'\n/** {@link alpha} */\nexport const b = alpha\n`,
  }
  assert.deepEqual(rename(texts), {
    'src/a.ts': '/** {@link omega} is alpha. */\nexport function omega() {}\n',
    'src/b.ts': `import { omega } from './a.ts'\n/** {@link omega} */\nexport const b = omega\n`,
  })
})

test('all overloads of a function get the name', () => {
  const renamed = createTestProject({
    'src/a.ts': 'export function alpha(a: 1): 1\nexport function alpha(a: 1) { return a }\n',
    'src/b.ts': `import { alpha } from './a.ts'\nalpha(1)\n`,
  })
  const target = { artifact: 'src/a.ts', path: 'function:alpha#2' }
  const planned = planProjectRename(renamed, target, 'omega')
  assert.ok(planned.ok)
  assert.deepEqual(applyPlan(renamed, planned.value), {
    'src/a.ts': 'export function omega(a: 1): 1\nexport function omega(a: 1) { return a }\n',
    'src/b.ts': `import { omega } from './a.ts'\nomega(1)\n`,
  })
})

const DECLARED = 'export function alpha() {}\n'

test('a name that another artifact has already is refused, and nothing is planned', () => {
  const problem = rename({
    'src/a.ts': DECLARED,
    'src/b.ts': `import { alpha } from './a.ts'\nconst omega = 1\nalpha(omega)\n`,
  })
  assert.equal(problem.code, 'NAME_TAKEN')
  assert.equal(problem.artifact, 'src/b.ts')
})

test('a name that a barrel exports already is refused', () => {
  const problem = rename({
    'src/a.ts': DECLARED,
    'src/b.ts': 'export const omega = 1\n',
    'src/index.ts': `export * from './a.ts'\nexport * from './b.ts'\n`,
  })
  assert.equal(problem.code, 'NAME_TAKEN')
  assert.equal(problem.artifact, 'src/index.ts')
})

test('a use is not captured by a local name', () => {
  const problem = rename({
    'src/a.ts': DECLARED,
    'src/b.ts': `import { alpha } from './a.ts'\nexport function f(omega: number) { return alpha(omega) }\n`,
  })
  assert.equal(problem.code, 'NAME_TAKEN')
})

test('a use within the symbol itself is not captured by a local name', () => {
  const problem = rename({
    'src/a.ts': 'export function alpha(omega: number): number { return alpha(omega) }\n',
  })
  assert.equal(problem.code, 'NAME_TAKEN')
})

test('a global of the new name is not captured', () => {
  const problem = rename(
    {
      'src/a.ts': DECLARED,
      'src/b.ts': `import { alpha } from './a.ts'\nalpha(fetch('x'))\n`,
    },
    'fetch',
  )
  assert.equal(problem.code, 'NAME_TAKEN')
})

test('a module that is handed on as a whole where the name stands is refused', () => {
  const problem = rename({
    'src/a.ts': DECLARED,
    'src/b.ts': `const all = await import('./a.ts')\nall.alpha()\n`,
  })
  assert.equal(problem.code, 'TARGET_UNFIT')
  assert.equal(problem.artifact, 'src/b.ts')
})

test('what cannot be read and holds the name is refused', () => {
  const problem = rename({ 'src/a.ts': DECLARED, 'src/b.ts': 'alpha( {\n' })
  assert.equal(problem.code, 'TARGET_UNFIT')
})

test('no keyword and no expression becomes a name', () => {
  for (const name of ['class', 'a b', '', '1a', 'a;b'])
    assert.notEqual(rename({ 'src/a.ts': DECLARED }, name).code, undefined, name)
})
