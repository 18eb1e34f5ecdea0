/** `tool import`: what is drafted of a document, what is refused, and that no draft is a tool yet. */
import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { test } from 'node:test'
import { createRuntime } from '../../../runtime/src/compose.ts'
import { type Data, home, run, runJson } from './cli.test-support.ts'

const ID = { name: 'id', in: 'path', required: true, schema: { type: 'string' } }
const OK = { 200: { description: 'done' } }

const SHOP = {
  openapi: '3.0.3',
  info: { title: 'shop', version: '2' },
  servers: [{ url: 'https://shop.example/v2/' }],
  paths: {
    '/orders/{id}/refunds': {
      parameters: [ID],
      post: {
        operationId: 'refunds/createRefund',
        summary: 'pays back\nand more',
        security: [{ bearer: [] }],
        parameters: [
          {
            name: 'currency',
            in: 'query',
            required: true,
            schema: { type: 'string', enum: ['EUR'] },
          },
          { name: 'dry_run', in: 'query', schema: { type: 'string' } },
          { name: 'X-Request-Id', in: 'header', required: true, schema: { type: 'string' } },
        ],
        requestBody: {
          required: true,
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Refund' } } },
        },
        responses: {
          201: { $ref: '#/components/responses/Refunded' },
          408: { description: 'slow' },
          422: { description: 'no' },
          500: { description: 'oh' },
        },
      },
      get: { operationId: 'listRefunds', responses: OK },
      delete: { operationId: 'deleteRefunds', responses: { default: { description: 'any' } } },
    },
  },
  components: {
    schemas: {
      Refund: {
        required: ['amount'],
        properties: {
          amount: { type: 'string', format: 'decimal', example: '1.00' },
          note: { type: 'string', nullable: true },
          share: { type: 'number', minimum: 0, exclusiveMinimum: true, 'x-order': 1 },
        },
      },
    },
    responses: {
      Refunded: {
        description: 'it was paid back',
        content: {
          'application/json': {
            schema: { type: 'object', properties: { id: { type: 'string' } } },
          },
        },
      },
    },
  },
}

function place(document: unknown, name = 'openapi.json'): { file: string; out: string } {
  const { folder } = home()
  const file = join(folder, name)
  writeFileSync(file, typeof document === 'string' ? document : JSON.stringify(document))
  return { file, out: join(folder, 'out') }
}

/** A document with one operation `one`, or several. */
function documentWith(change: object, operation: object = {}, path = '/x'): object {
  const one = { operationId: 'one', responses: OK, ...operation }
  return {
    openapi: '3.1.0',
    servers: [{ url: 'https://a.example' }],
    paths: { [path]: { post: one } },
    ...change,
  }
}

function withBody(schema: unknown, components: object = {}): object {
  const requestBody = { required: true, content: { 'application/json': { schema } } }
  return documentWith({ components: { schemas: components } }, { requestBody })
}

async function refused(document: unknown, wanted: RegExp, names = 'one'): Promise<void> {
  const { file, out } = place(document)
  const { exit, data } = await runJson([
    'tool',
    'import',
    file,
    '--operations',
    names,
    '--out',
    out,
  ])
  assert.deepEqual([exit, existsSync(out)], [2, false], JSON.stringify(data))
  assert.match(JSON.stringify(data.error), wanted)
}

async function drafted(document: unknown, names: string, name?: string): Promise<readonly Data[]> {
  const { file, out } = place(document, name)
  const { exit, data } = await runJson([
    'tool',
    'import',
    file,
    '--operations',
    names,
    '--out',
    out,
  ])
  assert.equal(exit, 0, JSON.stringify(data))
  return data.written.map((one: Data) => JSON.parse(readFileSync(one.file, 'utf8')))
}

test('an operation becomes a manifest with what the document says', async () => {
  const [draft] = await drafted(SHOP, 'refunds/createRefund')
  assert.deepEqual(draft, {
    manifest: 'rubicon/tool/1',
    undecided: [
      ...['effect', 'risk', 'reversible', 'scopes', 'sinks', 'measures', 'secrets', 'probe'],
      ...['idempotency', 'query.dry_run', 'header.X-Request-Id', 'not_applied'],
    ],
    kind: 'REFUNDS_CREATE_REFUND',
    version: '1',
    summary: 'pays back',
    params: {
      type: 'object',
      properties: {
        id: { type: 'string' },
        currency: { type: 'string', enum: ['EUR'] },
        body: {
          type: 'object',
          required: ['amount'],
          properties: {
            amount: { type: 'string' },
            note: { type: ['string', 'null'] },
            share: { type: 'number', exclusiveMinimum: 0 },
          },
          additionalProperties: false,
        },
      },
      required: ['id', 'currency', 'body'],
      additionalProperties: false,
    },
    result: { type: 'object', properties: { id: { type: 'string' } } },
    effect: 'unsafe',
    executor: {
      http: {
        method: 'POST',
        url: 'https://shop.example/v2/orders/{/id}/refunds',
        query: { currency: { param: '/currency' } },
        body: { $: { param: '/body' } },
        applied: [201],
        not_applied: [422],
      },
    },
  })
})

test('no draft is a tool: it is refused by what is undecided, and also once only the list is gone', async () => {
  const { file, out } = place(SHOP)
  const names = 'refunds/createRefund,listRefunds,deleteRefunds'
  const { exit, data } = await runJson([
    'tool',
    'import',
    file,
    '--operations',
    names,
    '--out',
    out,
  ])
  assert.equal(exit, 0)
  assert.deepEqual(readdirSync(out).sort(), [
    'delete_refunds.json',
    'list_refunds.json',
    'refunds_create_refund.json',
  ])
  for (const { file: path, undecided } of data.written) {
    const whole = await run(['tool', 'check', path])
    assert.equal(whole.exit, 4)
    assert.ok(whole.stdout.includes(`names ${undecided.join(', ')}: decide each`), whole.stdout)
    assert.equal((await run(['tool', 'add', path, '--tools', join(out, 'tools.yaml')])).exit, 2)
    const { undecided: _, ...rest } = JSON.parse(readFileSync(path, 'utf8'))
    writeFileSync(path, JSON.stringify(rest))
    const half = await run(['tool', 'check', path])
    assert.equal(half.exit, 4)
    assert.match(half.stdout, /`\/risk`/)
    writeFileSync(path, JSON.stringify({ ...rest, risk: 'low', reversible: false }))
  }
  // What said nothing of success is refused for that, too.
  assert.match((await run(['tool', 'check', join(out, 'delete_refunds.json')])).stdout, /applied/)
  for (const name of ['list_refunds', 'refunds_create_refund'])
    assert.equal((await run(['tool', 'check', join(out, `${name}.json`)])).exit, 0)
  assert.ok(!existsSync(join(out, 'tools.yaml')))
})

test('effects are guessed by the method, and stay undecided', async () => {
  const drafts = await drafted(SHOP, 'listRefunds,deleteRefunds,refunds/createRefund')
  assert.deepEqual(
    drafts.map(({ effect, undecided }) => [effect, undecided.includes('effect')]),
    [
      ['read', true],
      ['unsafe', true],
      ['unsafe', true],
    ],
  )
})

test('without a choice the operations are listed and nothing is written', async () => {
  const { file, out } = place(SHOP)
  const { exit, stdout, stderr } = await run(['tool', 'import', file, '--out', out])
  assert.deepEqual([exit, existsSync(out)], [0, false])
  assert.match(stdout, /refunds\/createRefund +POST +\/orders\/\{id\}\/refunds/)
  assert.match(stderr, /nothing was written/)
})

test('YAML is read as JSON is, and no file is overwritten', async () => {
  const yaml = `openapi: 3.1.0
servers: [{url: "https://a.example"}]
paths:
  /x:
    get: {operationId: one, responses: {"200": {description: ok}}}
    put: {operationId: two, responses: {"200": {description: ok}}}
`
  const { file, out } = place(yaml, 'openapi.yaml')
  const one = ['tool', 'import', file, '--out', out, '--operations']
  assert.equal((await run([...one, 'one'])).exit, 0)
  const before = readFileSync(join(out, 'one.json'), 'utf8')
  const again = await run([...one, 'two,one'])
  assert.equal(again.exit, 2)
  assert.match(again.stderr, /is there already, and nothing was written/)
  assert.deepEqual(
    [readdirSync(out), readFileSync(join(out, 'one.json'), 'utf8')],
    [['one.json'], before],
  )
})

test('a name leads nowhere: files are called after kinds', async () => {
  const document = documentWith({}, { operationId: '../../etc/../pass wd' })
  const { file, out } = place(document)
  const { data } = await runJson([
    'tool',
    'import',
    file,
    '--operations',
    '../../etc/../pass wd',
    '--out',
    out,
  ])
  assert.deepEqual(data.written[0].file, join(out, 'etc_pass_wd.json'))
  await refused(documentWith({}, { operationId: '../..' }), /no kind can be made/, '../..')
  await refused(
    documentWith({}, { operationId: 'x'.repeat(65) }),
    /no kind can be made/,
    'x'.repeat(65),
  )
  await refused(documentWith({}), /there is no such operation/, 'two')
})

test('one name of two operations refuses the document, one kind of two the choice', async () => {
  const twice = { operationId: 'one', responses: OK }
  const paths = { '/x': { post: twice }, '/y': { post: twice } }
  await refused(documentWith({ paths }), /two operations are called `one`/)
  const near = { '/x': { post: twice }, '/y': { post: { ...twice, operationId: 'One' } } }
  await refused(documentWith({ paths: near }), /another one is of the kind `ONE`/, 'one,One')
})

test('a host is literal and read by the kernel', async () => {
  for (const [url, wanted] of [
    ['https://{region}.a.example', /is a template/],
    ['/v1', /is no address with a host/],
    ['file:///etc/passwd', /is no address with a host/],
    ['https://user:pw@a.example', /user info/],
    ['https://0x7f.1', /no host in lower-case|ends in a number/],
    ['https://A.example', /lower-case/],
    ['https://a.example/../b', /segment of dots/],
    ['https://a.example?x=', /no host|cannot stand/],
    ['https://a.example#', /no host|cannot stand/],
  ] as const)
    await refused(documentWith({ servers: [{ url }] }), wanted)
  await refused(documentWith({ servers: [] }), /no server is named/)
})

test('a path holds its own parameters and nothing that leads elsewhere', async () => {
  await refused(documentWith({}, {}, '/x/{id}'), /nothing is said of `id`/)
  await refused(documentWith({}, { parameters: [ID] }), /does not stand in the path/)
  await refused(documentWith({}, {}, '@evil.example/x'), /does not begin with/)
  for (const path of ['//evil.example', '/../x', '/%2e%2e/x', '/x?y=1', '/a\\b'])
    await refused(documentWith({}, {}, path), /segment|cannot stand/)
  for (const name of ['a/b', '~0', 'body', ''])
    await refused(
      documentWith({}, { parameters: [{ ...ID, name }] }, `/x/{${name}}`),
      /cannot have that name/,
    )
  const list = { ...ID, schema: { type: 'array', items: { type: 'string' } } }
  await refused(documentWith({}, { parameters: [list] }, '/x/{id}'), /is no text and no number/)
})

test('references stay in the document, come to an end, and within bounds', async () => {
  for (const $ref of ['https://evil.example/s.json', 'other.json#/x', '#', '#/a%2fb', 7])
    await refused(withBody({ $ref }), /leads out of the document/)
  await refused(withBody({ $ref: '#/components/schemas/None' }), /leads nowhere/)
  await refused(withBody({ $ref: '#/components/schemas/toString' }), /leads nowhere/)
  const ref = (name: string): object => ({ $ref: `#/components/schemas/${name}` })
  await refused(withBody(ref('A'), { A: ref('A') }), /leads back to itself/)
  const tree = { type: 'object', properties: { left: ref('A') } }
  await refused(withBody(ref('A'), { A: tree }), /leads back to itself/)
  const levels = Array.from({ length: 40 }, (_, level) => level)
  const chain = Object.fromEntries(levels.map((level) => [`L${level}`, ref(`L${level + 1}`)]))
  await refused(withBody(ref('L0'), chain), /more than 32 references/)
  // Twenty levels, each of which names the next one twice: a million schemas.
  const bomb = Object.fromEntries(
    levels
      .slice(0, 20)
      .map((level) => [
        `L${level}`,
        level === 19
          ? { type: 'string' }
          : { type: 'object', properties: { a: ref(`L${level + 1}`), b: ref(`L${level + 1}`) } },
      ]),
  )
  await refused(withBody(ref('L0'), bomb), /come to more than 4096/)
  const many = {
    type: 'string',
    enum: Array.from({ length: 20_000 }, (_, index) => `word ${index}`),
  }
  const names = Array.from({ length: 2_000 }, (_, index) => [`p${index}`, ref('Many')])
  await refused(
    withBody({ type: 'object', properties: Object.fromEntries(names) }, { Many: many }),
    /OPERATION_REFUSED/,
  )
})

test('a rule that is not understood refuses, and so does a body that is no JSON', async () => {
  await refused(
    withBody({ type: 'object', unevaluatedProperties: false }),
    /`unevaluatedProperties` of a schema is not known/,
  )
  await refused(withBody({ type: 'colour' }), /OPERATION_REFUSED/)
  await refused(withBody({ type: 'string', pattern: '(' }), /OPERATION_REFUSED/)
  await refused(withBody(7), /a schema is no object/)
  const requestBody = { required: true, content: { 'multipart/form-data': {} } }
  await refused(documentWith({}, { requestBody }), /cannot be sent as JSON/)
})

test('what is no document of OpenAPI 3, too large or too deep is refused', async () => {
  await refused({ swagger: '2.0', paths: {} }, /is no OpenAPI 3/)
  await refused([], /is no object/)
  await refused('{', /OPENAPI_INVALID/)
  await refused('{"openapi":"3.1.0","openapi":"3.1.0"}', /JSON_DUPLICATE_KEY/)
  await refused('{"openapi":"3.1.0","__proto__":{}}', /JSON_FORBIDDEN_KEY/)
  await refused(`{"openapi":"3.1.0","x":"${'x'.repeat(10_000_000)}"}`, /larger than 8388608 bytes/)
  await refused(`{"openapi":"3.1.0","x":${'['.repeat(100_000)}`, /JSON_DEPTH/)
})

test('a number that cannot be read to the last digit narrows a bound, and refuses elsewhere', async () => {
  const long = { type: 'integer', minimum: -(2 ** 63), maximum: 2 ** 63 }
  const empty = { nullable: true, allOf: [{ type: 'object', properties: { n: long } }] }
  const [draft] = await drafted(withBody(empty), 'one')
  const { MAX_SAFE_INTEGER: most } = Number
  const narrow = { type: 'integer', minimum: -most, maximum: most }
  assert.deepEqual(draft.params.properties.body, {
    anyOf: [{ allOf: [{ type: 'object', properties: { n: narrow } }] }, { type: 'null' }],
  })
  const text = (schema: string): string => JSON.stringify(withBody('X')).replace('"X"', schema)
  for (const schema of [
    '{"enum":[9007199254740993]}',
    '{"const":-9007199254740993}',
    '{"minimum":1e20}',
  ])
    await refused(text(schema), /has more digits than can be read/)
})

test('a draft that somebody decided does what the document says', async (t) => {
  const asked: string[] = []
  const provider = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += String(chunk)
    asked.push(`${request.method} ${request.url} ${body}`)
    response.writeHead(201, { 'content-type': 'application/json' })
    response.end('{"id":"re_1"}')
  })
  await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve))
  t.after(() => provider.close())
  const address = provider.address()
  const port = (typeof address === 'object' ? address?.port : undefined) ?? 0
  const { file, out } = place({ ...SHOP, servers: [{ url: `http://127.0.0.1:${port}/v2` }] })
  await run(['tool', 'import', file, '--operations', 'refunds/createRefund', '--out', out])
  const path = join(out, 'refunds_create_refund.json')
  const { undecided: _, ...draft } = JSON.parse(readFileSync(path, 'utf8'))
  const measures = { refund_usd: { param: '/body/amount' } }
  writeFileSync(path, JSON.stringify({ ...draft, risk: 'medium', reversible: false, measures }))
  const tools = {
    tools: [path],
    allow: {
      http: [{ scheme: 'http', host: '127.0.0.1', port, methods: ['POST'], addresses: 'loopback' }],
    },
  }
  const runtime = await createRuntime({ store: 'memory', stateDirectory: home().folder, tools })
  t.after(() => runtime.close())
  await runtime.deploy({
    api_version: 'rubicon/v1',
    kind: 'ResponsibilityContract',
    agent_id: 'bot',
    version: '1.0.0',
    owner: 'jane.doe@example.com',
    effective_from: '2025-01-01',
    role: 'EXECUTOR',
    authority: 'EXECUTE_LIMITED',
    mission: 'Give back what is owed.',
    permissions: {
      policy_kinds: ['REFUNDS_CREATE_REFUND'],
      limits: [{ id: 'most', measure: 'refund_usd', max: '500.00' }],
    },
  })
  const outcomes: string[] = []
  for (const amount of ['20.00', '20000.00']) {
    const flow = await runtime.open({ agent: 'bot', trigger: 'ticket' })
    const params = { id: 'o 1', currency: 'EUR', body: { amount } }
    const { outcome } = await flow.propose({ policy_kind: 'REFUNDS_CREATE_REFUND', params })
    outcomes.push(outcome)
  }
  assert.deepEqual(outcomes, ['ACCEPTED', 'REJECTED'])
  assert.deepEqual(asked, ['POST /v2/orders/o%201/refunds?currency=EUR {"amount":"20.00"}'])
})
