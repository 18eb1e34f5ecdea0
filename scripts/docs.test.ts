/** Prose that says what the code does is compared with the code. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { hash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import {
  assembleContext,
  COMPILE_STAGES,
  computeAddress,
  computeIdempotencyKey,
  computeParamsFingerprint,
  createWorld,
  type Delta,
  encodeHex,
  JSON_LIMITS,
  type JsonObject,
  type JsonValue,
  parseContract,
  parseManifest,
  REASON_CODES,
  REASONS,
  type ReasonCode,
  rankChunks,
  type Sha256,
  sanitise,
  searchTerms,
  toCanonicalText,
} from 'rubicon-kernel'
import { ROOT, runRubicon } from './shell.ts'

const sha256: Sha256 = (data) => hash('sha256', data, 'buffer')
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8')
const json = (text: string): JsonValue => JSON.parse(text)
const object = (text: string): JsonObject => JSON.parse(text)

type Vector = { readonly call: string; readonly value: string }

function vectorsOf(page: string): readonly Vector[] {
  const blocks = [...read(page).matchAll(/```vector\n([\s\S]*?)```/g)]
  return blocks.flatMap(([, block = '']) =>
    [...block.matchAll(/^(.+)\n= (.+)$/gm)].map(([, call = '', value = '']) => ({ call, value })),
  )
}

/** The world vectors of a page stand on one another. */
function computer(): (call: string) => string {
  const world = createWorld(sha256)
  return (call) => {
    const [name = '', ...words] = call.split(' ')
    const argument = (from: number): string => words.slice(from).join(' ')
    switch (name) {
      case 'address':
        return computeAddress(words[0] ?? '', json(argument(1)), sha256)
      case 'idempotency_key':
        return computeIdempotencyKey(words[0] ?? '', words[1] ?? '', object(argument(2)), sha256)
      case 'params_fingerprint':
        return computeParamsFingerprint(words[0] ?? '', object(argument(1)), sha256)
      case 'world': {
        const delta = json(argument(0))
        assert.equal(toCanonicalText(delta), argument(0), 'deltas are shown in canonical form')
        assert.ok(world.apply(delta as unknown as Delta, 'sha256:0').ok, 'the delta applies')
        return encodeHex(world.root())
      }
      case 'context':
        return contextOf(json(argument(0)) as unknown as SmallContext)
      case 'rank':
        return ranking(json(argument(0)) as unknown as SmallQuery)
      case 'sanitise':
        return toCanonicalText(sanitise(json(argument(0)) as string))
      case 'search_terms':
        return toCanonicalText(searchTerms(argument(0)))
      default:
        return assert.fail(`unknown vector \`${name}\``)
    }
  }
}

type Item = readonly [timeOrScore: string | number, name: string, tokens: number]

type SmallContext = {
  readonly session: readonly Item[]
  readonly memory: readonly Item[]
  readonly artifacts: readonly Item[]
  readonly now: string
  readonly fixed: number
  readonly tokens: number
}

const CONTRACT = {
  agent_id: 'refunds_bot',
  version: '1.0.0',
  owner: 'jane.doe@example.com',
  effective_from: '2026-02-01',
  authority: 'EXECUTE_FULL',
  mission: 'Refund what was paid in error.',
  permissions: { policy_kinds: ['REFUND'] },
}

/** What is shown of layers that hold nothing but times, names and tokens. */
function contextOf({ session, memory, artifacts, now, fixed, tokens }: SmallContext): string {
  const contract = parseContract(CONTRACT)
  assert.ok(contract.ok)
  const hashes = { contract_hash: 'sha256:c', mission_context_hash: 'sha256:m' } as const
  const isMission = (text: string): boolean => text.includes(CONTRACT.mission)
  const result = assembleContext({
    dfid: '019c0b5e-7c00-7000-8000-000000000001',
    trigger: 'mail',
    now,
    contract: contract.value,
    ...hashes,
    state: [],
    world: [],
    session: session.map(([at, text, cost]) => ({
      key: text,
      body: { at: String(at), label: 'agent', text, tokens: cost, flags: [] },
    })),
    memory: memory.map(([at, summary, cost], attempt) => ({
      key: summary,
      body: {
        at: String(at),
        dfid: summary,
        attempt,
        policy_kind: null,
        outcome: 'ACCEPTED',
        reason_code: null,
        summary,
        tokens: cost,
      },
    })),
    artifacts: artifacts.map(([score, artifact, cost]) => ({
      artifact,
      chunk: 0,
      title: artifact,
      label: 'operator',
      text: artifact,
      tokens: cost,
      score: Number(score),
    })),
    limits: { tokens },
    countTokens: (text) => (isMission(text) ? fixed : 0),
    sha256,
  })
  assert.ok(result.ok)
  const { working } = result.value
  return toCanonicalText({
    snapshot_id: working.snapshot_id,
    session: working.session.map(({ text }) => text),
    memory: working.memory.map(({ summary }) => summary),
    artifacts: working.artifacts.map(({ artifact }) => artifact),
    trimmed: { ...working.trimmed },
    used: working.budget.used,
  })
}

type SmallQuery = {
  readonly terms: readonly string[]
  readonly hits: readonly (readonly [string, string, number, number, number])[]
  readonly totals: readonly [chunks: number, length: number]
}

function ranking({ terms, hits, totals: [chunks, length] }: SmallQuery): string {
  const found = hits.map(([term, artifact, chunk, count, words]) => {
    return { term, artifact, chunk, count, length: words }
  })
  const ranked = rankChunks(terms, found, { chunks, length })
  return toCanonicalText(ranked.map(({ artifact, chunk, score }) => [artifact, chunk, score]))
}

describe('the specification', () => {
  for (const page of ['json', 'compile', 'world', 'context']) {
    it(`${page}.md: its vectors hold`, () => {
      const vectors = vectorsOf(`docs/spec/${page}.md`)
      const compute = computer()
      assert.ok(vectors.length > 0)
      for (const { call, value } of vectors) assert.equal(compute(call), value, call)
    })
  }

  it('compile.md: stages stand in their order, with what they read and refuse', () => {
    const page = read('docs/spec/compile.md')
    const refused = new Map(
      [...page.matchAll(/^- (\d+ \w+): (.+)$/gm)].map(([, stage = '', codes = '']) => [
        stage,
        codes,
      ]),
    )
    const rows = [...page.matchAll(/^\| (\d+) (\w+) \| ([^|]+) \|$/gm)]
    const stages = rows.map(([, number, name, reads = '']) => ({
      number: Number(number),
      name,
      reads: quoted(reads),
      codes: quoted(refused.get(`${number} ${name}`) ?? '').sort(),
    }))
    const emission = { number: 10, name: 'emission', reads: [], codes: refusalsOf('emission') }
    const wanted = COMPILE_STAGES.map(({ name, reads }, number) => {
      return { number, name, reads: [...reads], codes: refusalsOf(name) }
    })
    assert.deepEqual(stages, [...wanted, emission])
  })

  it('manifests.md: its manifest parses, and it names every member that there is', () => {
    const page = read('docs/spec/manifests.md')
    const [, text = ''] = /^```json manifest\n([^`]+)```$/m.exec(page) ?? []
    const parsed = parseManifest(JSON.parse(text))
    assert.ok(parsed.ok, JSON.stringify(parsed))
    for (const name of Object.keys(parsed.value)) assert.ok(page.includes(`\`${name}\``), name)
  })

  it('json.md: names every refusal of the parser, and its limits', () => {
    const page = read('docs/spec/json.md')
    const codes = REASON_CODES.filter((code) => /^(JSON_|BODY_)/.test(code))
    for (const code of [...codes, 'VALUE_NOT_JSON', 'ID_CHARSET'])
      assert.ok(page.includes(code), code)
    for (const limit of [JSON_LIMITS.bytes, JSON_LIMITS.keys, JSON_LIMITS.depth]) {
      const shown = String(limit).replaceAll(/\B(?=(\d{3})+$)/g, ',')
      assert.ok(page.includes(shown), shown)
    }
  })

  it('names no code that does not exist', () => {
    const known: ReadonlySet<string> = new Set(REASON_CODES)
    for (const page of [
      'json',
      'manifests',
      'contract',
      'writ',
      'world',
      'compile',
      'context',
      'ledger',
      'saga',
    ]) {
      const named = quoted(read(`docs/spec/${page}.md`)).filter((word) =>
        /^[A-Z]+(_[A-Z]+)+$/.test(word),
      )
      assert.deepEqual(
        named.filter((word) => !known.has(word) && !NOT_CODES.has(word)),
        [],
        page,
      )
    }
  })
})

/** Words in capitals that are other things: authority levels, reserved kinds, outcomes, failures, names. */
const NOT_CODES: ReadonlySet<string> = new Set([
  'DL_PCI',
  'EXECUTE_LIMITED',
  'EXECUTE_FULL',
  'SPAWN_CHILD',
  'SPAWN_INSTANCE',
  'INSTANCE_FOREIGN',
  'INSTANCE_UNTIL',
  'INSTANCE_LIMIT',
  'AGENT_EXISTS',
  'RESOLVE_ESCALATION',
  'COMPILER_VERSION',
  'MANUAL_REVIEW',
  'ALERT_HUMAN',
  'REVERT_STATE',
  'STORE_FORMAT',
  'SOURCE_CLAIMED',
  'SOURCE_DIFFERS',
  'PATHS_FULL',
  'CLOSE_ALL',
  'TOOL_DRIFT',
  'URI_INVALID',
])

/** What asks for a person is produced by these stages too, but refuses nothing. */
const TRIGGERS: ReadonlySet<ReasonCode> = new Set<ReasonCode>([
  'AUTHORITY_PROPOSE_ONLY',
  'HUMAN_APPROVAL_REQUIRED',
  'AUTHORITY_CEILING',
  'UNCERTAINTY',
  'APPROVAL_REQUIRED',
])

function refusalsOf(stage: string): readonly string[] {
  return REASON_CODES.filter(
    (code) => REASONS[code].producer === stage && !TRIGGERS.has(code) && !ENGINE_CODES.has(code),
  ).sort()
}

/** Said for the repeat stage by the engine, where there is no flow to compile for. */
const ENGINE_CODES: ReadonlySet<ReasonCode> = new Set<ReasonCode>([
  'FLOW_UNKNOWN',
  'FLOW_CANCELLED',
])

function quoted(text: string): string[] {
  return [...text.matchAll(/`([^`\n]+)`/g)].map(([, word = '']) => word)
}

describe('the README', () => {
  it('tells a newcomer what CI runs first, in a clone in which nothing else was run', () => {
    const [, command] = /^(npm ci && npm test) +#/m.exec(read('README.md')) ?? []
    const commands = read('.ci/run')
      .split('\n')
      .filter((line) => line !== '' && !/^(#|set |cd |export )/.test(line))
    assert.deepEqual(commands, [`(${command}) </dev/null`, 'npm run check </dev/null'])
  })

  it('shows the quickstart as it is', (t) => {
    // It leaves its store for whoever wants to look.
    const TMPDIR = mkdtempSync(join(tmpdir(), 'rubicon-readme-'))
    t.after(() => rmSync(TMPDIR, { recursive: true, force: true }))
    const { ok, stdout, stderr } = runRubicon(['quickstart'], { env: { NO_COLOR: '1', TMPDIR } })
    assert.ok(ok, stderr)
    assert.equal(block('quickstart'), stdout.trimEnd())
  })

  it('shows what the server says as it starts, and things are where it says', async (t) => {
    const home = mkdtempSync(join(tmpdir(), 'rubicon-readme-'))
    t.after(() => rmSync(home, { recursive: true, force: true }))
    // As after a clone: the folder of the keys bears the name of the project's.
    const project = join(home, 'rubicon')
    mkdirSync(project)
    const { XDG_STATE_HOME: _, RUBICON_STATE: __, ...environment } = process.env
    const command = [join(ROOT, 'server/bin/rubicon.js'), 'up', '--demo', '--port', '0']
    const child = spawn(process.execPath, command, {
      cwd: project,
      env: { ...environment, HOME: home },
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    const exited = once(child, 'exit')
    let said = ''
    for await (const chunk of child.stdout) {
      said += chunk
      if (/^ {2}token .*\n/m.test(said)) break
    }
    child.kill('SIGTERM')
    assert.deepEqual(await exited, [0, null])
    const at = (name: string): string => said.match(new RegExp(`^  ${name} +(.+)$`, 'm'))?.[1] ?? ''
    assert.ok(existsSync(join(project, at('ledger'))), at('ledger'))
    assert.ok(existsSync(join(at('keys'), 'keys', 'kernel.pem')), at('keys'))
    const kept = at('token').replace(/^in /, '')
    assert.match(readFileSync(kept, 'utf8'), /^rbo_\S+\n$/)
    // A terminal, which readers have, shows the token itself.
    const shown = said
      .replace(/:[0-9]+$/m, ':7420')
      .replace(`in ${kept}`, 'rbo_…')
      .replaceAll(home, '~')
      .replaceAll(/(\/rubicon-)[0-9a-f]+(?=\/|$)/gm, '$1…')
    assert.equal(block('up'), shown.trimEnd())
  })

  it('shows the library example as it runs', () => {
    // Whole: what is shown can be pasted.
    const [, example] = /^\/\*\* .+ \*\/\n([\s\S]+)$/.exec(read('examples/library.ts')) ?? []
    assert.equal(block('library'), example?.trimEnd())
  })
})

/** The fenced text between `<!-- name -->` and the end of its fence. */
function block(name: string): string {
  const [, text] =
    read('README.md').match(new RegExp(`<!-- ${name} -->\\s*\`\`\`\\w*\\n([\\s\\S]*?)\`\`\``)) ?? []
  assert.ok(text !== undefined, `the README has a block \`${name}\``)
  return text.trimEnd()
}
