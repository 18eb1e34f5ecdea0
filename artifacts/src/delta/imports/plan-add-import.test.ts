import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseWhole } from '../../claims/parsed.test-support.ts'
import { findFormat } from '../../formats/formats.ts'
import { applySplices } from '../../text/splice.ts'
import { planDelta } from '../plan-delta.ts'

type Wanted = {
  readonly from: string
  readonly name: string
  readonly as?: string
  readonly type_only?: boolean
}

function add(text: string, wanted: Wanted, name = 'a.ts'): string {
  const format = findFormat(name) ?? assert.fail()
  const planned = planDelta(parseWhole(format, text), { op: 'addImport', ...wanted }, format)
  if (!planned.ok) return planned.error.code
  const { after, inverse, splices } = planned.value
  assert.equal(applySplices(text, splices), after.text)
  assert.equal(applySplices(after.text, inverse), text)
  return after.text
}

const named = (name: string, from = './b.ts'): Wanted => ({ from, name })
const typed = (name: string, from = './b.ts'): Wanted => ({ from, name, type_only: true })

test('a name goes into the import of its module, in the order of those that are there', () => {
  const text = "import { b, d } from './b.ts'\n"
  assert.equal(add(text, named('c')), "import { b, c, d } from './b.ts'\n")
  assert.equal(add(text, named('a')), "import { a, b, d } from './b.ts'\n")
  assert.equal(add(text, named('e')), "import { b, d, e } from './b.ts'\n")
  assert.equal(add(text, { ...named('c'), as: 'x' }), "import { b, c as x, d } from './b.ts'\n")
  assert.equal(add("import {d, b} from './b.ts'\n", named('c')), "import {d, b, c} from './b.ts'\n")
})

test('names on lines of their own stay so, with their commas and comments', () => {
  const text = "import {\n  b, // B.\n  d,\n} from './b.ts'\n"
  assert.equal(add(text, named('c')), text.replace('B.\n', 'B.\n  c,\n'))
  assert.equal(add(text, named('a')), text.replace('{\n', '{\n  a,\n'))
  assert.equal(add(text, named('e')), text.replace('d,\n', 'd,\n  e,\n'))
  const bare = "import {\r\n  b,\r\n  d // D.\r\n} from './b.ts'\r\n"
  assert.equal(add(bare, named('e')), bare.replace('d // D.', 'd, // D.\r\n  e'))
})

test('a name that is there is no change, and one that stands for something else is not taken', () => {
  const text = "import { b, type T } from './b.ts'\nfunction c() {}\nconst { d } = c()\n"
  assert.equal(add(text, named('b')), text)
  assert.equal(add(text, typed('b')), text)
  assert.equal(add(text, typed('T')), text)
  assert.equal(add(text, named('b', './c.ts')), 'NAME_TAKEN')
  assert.equal(add(text, { ...named('x'), as: 'b' }), 'NAME_TAKEN')
  assert.equal(add(text, named('c')), 'NAME_TAKEN')
  assert.equal(add(text, named('d')), 'NAME_TAKEN')
})

test('what was imported as a type becomes a value where a value is needed', () => {
  assert.equal(
    add("import { b, type T } from './b.ts'\n", named('T')),
    "import { b, T } from './b.ts'\n",
  )
  assert.equal(add("import type { T } from './b.ts'\n", named('T')), "import { T } from './b.ts'\n")
  assert.equal(add("import type { T, U } from './b.ts'\n", named('T')), 'NAME_TAKEN')
})

test('types are kept apart or inline, as the text does it', () => {
  assert.equal(
    add("import { b } from './b.ts'\n", typed('T')),
    "import { b } from './b.ts'\nimport type { T } from './b.ts'\n",
  )
  assert.equal(
    add("import type { S } from './b.ts'\nimport { b } from './b.ts'\n", typed('T')),
    "import type { S, T } from './b.ts'\nimport { b } from './b.ts'\n",
  )
  assert.equal(
    add("import { type A } from './a.ts'\nimport { b } from './b.ts'\n", typed('c')),
    "import { type A } from './a.ts'\nimport { b, type c } from './b.ts'\n",
  )
  assert.equal(
    add("import type { S } from './b.ts'\n", named('b')),
    "import type { S } from './b.ts'\nimport { b } from './b.ts'\n",
  )
})

test('what a module exports as default, and all of it', () => {
  const standard = { from: './b.ts', name: 'default', as: 'B' }
  assert.equal(add("import { b } from './b.ts'\n", standard), "import B, { b } from './b.ts'\n")
  assert.equal(add("import B from './b.ts'\n", named('b')), "import B, { b } from './b.ts'\n")
  assert.equal(add("import B from './b.ts'\n", standard), "import B from './b.ts'\n")
  assert.equal(
    add("import * as b from './b.ts'\n", named('c')),
    "import * as b from './b.ts'\nimport { c } from './b.ts'\n",
  )
  assert.equal(add('', { from: 'b', name: '*', as: 'b' }), "import * as b from 'b'\n")
  assert.equal(add('', { from: 'b', name: 'default' }), 'FRAGMENT_INVALID')
  assert.equal(
    add("import type B from './b.ts'\n", named('c')),
    "import type B from './b.ts'\nimport { c } from './b.ts'\n",
  )
})

test('a new import stands among those of its kind, in their order and style', () => {
  const text = `import fs from "node:fs";
import path from "node:path";

import a from "./a.js";
import c from "./c.js";
`
  assert.equal(
    add(text, named('b', './b.js')),
    text.replace('"./a.js";\n', '"./a.js";\nimport { b } from "./b.js";\n'),
  )
  assert.equal(
    add(text, named('os', 'node:os')),
    text.replace('"node:fs";\n', '"node:fs";\nimport { os } from "node:os";\n'),
  )
  assert.equal(add(text, named('x', 'node:assert')), `import { x } from "node:assert";\n${text}`)
})

test('nothing is put before what is imported for its effect, and that is not touched', () => {
  const text = "import './effect.ts'\nimport { b } from './x.ts'\n"
  assert.equal(
    add(text, named('a', './a.ts')),
    "import './effect.ts'\nimport { a } from './a.ts'\nimport { b } from './x.ts'\n",
  )
  assert.equal(
    add("import './b.ts'\n", named('b')),
    "import './b.ts'\nimport { b } from './b.ts'\n",
  )
  assert.equal(
    add("import {} from './b.ts'\n", named('b')),
    "import {} from './b.ts'\nimport { b } from './b.ts'\n",
  )
  const attributes = "import b from './b.json' with { type: 'json' }\n"
  assert.equal(
    add(attributes, named('c', './b.json')),
    `${attributes}import { c } from './b.json'\n`,
  )
})

test('the first import stands behind what has to come first', () => {
  assert.equal(
    add('#!/usr/bin/env node\nfoo()\n', named('b')),
    "#!/usr/bin/env node\nimport { b } from './b.ts'\n\nfoo()\n",
  )
  assert.equal(
    add("'use strict'\nfoo()\n", named('b')),
    "'use strict'\n\nimport { b } from './b.ts'\nfoo()\n",
  )
  assert.equal(
    add('\uFEFF// @ts-check\n/** Foo. */\nfunction foo() {}\n', named('b')),
    "\uFEFF// @ts-check\nimport { b } from './b.ts'\n\n/** Foo. */\nfunction foo() {}\n",
  )
  assert.equal(add('// Only this', named('b')), "// Only this\nimport { b } from './b.ts'\n")
  assert.equal(
    add("import a from 'a'", named('b', 'b')),
    "import a from 'a'\nimport { b } from 'b'",
  )
})

test('names that are none, and texts without imports, are refused', () => {
  assert.equal(add('', named("b } from 'x'; evil(); import { c")), 'FRAGMENT_INVALID')
  assert.equal(add('', named('b', "x'; evil(); '")), 'FRAGMENT_INVALID')
  assert.equal(add('', { ...named('b'), as: 'class' }), 'FRAGMENT_INVALID')
  assert.equal(add('const a = require("a")\n', named('b'), 'a.js'), 'TARGET_UNFIT')
  assert.equal(add('module.exports = 1\n', named('b'), 'a.js'), 'TARGET_UNFIT')
  assert.equal(add('{}', named('b'), 'a.json'), 'TARGET_UNFIT')
})
