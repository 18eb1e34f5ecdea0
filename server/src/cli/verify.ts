/** `rubicon verify`: the verifier on a file, or on the entries of a store. */
import { closeSync, existsSync, openSync, readFileSync, readSync } from 'node:fs'
import { parseHeadText, REASONS } from 'rubicon-kernel'
import type { LawReport } from 'rubicon-runtime/evidence/law'
import { isPostgresAddress, redactAddress, type Store } from 'rubicon-runtime/ports'
import {
  beginStored,
  createHelpedCrypto,
  type Depth,
  isLedgerLike,
  nodeCrypto,
  parseTrust,
  type Report,
  type StoredOptions,
  type Trust,
  type VerifyOptions,
  verifyFile,
} from 'rubicon-verifier'
import { getArchiveOption } from './archive-names.ts'
import { type CommandCall, createUsageFailure, type Options, type StorePlace } from './call.ts'
import { escapeText } from './escape-text.ts'
import { EXIT, type ExitCode } from './exit-code.ts'
import { CliFailure, unwrap } from './failure.ts'
import { type Output, SYMBOLS } from './output.ts'
import { createVerbProgress } from './progress.ts'

const SHOWN_FINDINGS = 20
/** `origin+id+key`, also with a key that was cut or mistyped. */
const VERIFIER_KEY = /\+[0-9a-f]{8}\+/
const WHAT_TO_GIVE = 'give an exported ledger, a bundle, sqlite:PATH, or postgres://…'

export async function verify(call: CommandCall): Promise<ExitCode> {
  const { args, options, place, out } = call
  const target = args[0] ?? place.store
  const checked = createVerbProgress(call)('entries')
  const wanted = { ...verifyOptions(options), onProgress: checked.tell }
  const store = storeAddress(target)
  const archives = getArchiveOption(call)
  if (store === undefined && archives.length > 0)
    throw createUsageFailure(
      '`--archive` goes with a store',
      'an exported ledger is whole by itself',
    )
  const report =
    store === undefined
      ? verifyLedger(target, wanted)
      : await verifyStore({ ...place, store }, wanted, archives)
  checked.end()
  showReport(out, report)
  if (!options.hasFlag('law')) {
    out.data(report)
    return report.ok ? EXIT.done : EXIT.findings
  }
  const law = await judgeLaw(call, target, store)
  showLaw(out, law)
  out.data({ ...report, law })
  return report.ok && law.ok ? EXIT.done : EXIT.findings
}

async function judgeLaw(
  call: CommandCall,
  file: string,
  store: string | undefined,
): Promise<LawReport> {
  const { judgeFile, judgeStore } = await import('rubicon-runtime/evidence/law')
  const { sha256 } = nodeCrypto
  const judged = createVerbProgress(call)('entries judged by law')
  try {
    if (store === undefined) return judgeFile(file, sha256, judged.tell)
    const { readWithArchives } = await import('./archive-option.ts')
    return await readWithArchives(
      { ...call.place, store },
      getArchiveOption(call),
      (open, away) => {
        if (away.size > 0) throw createAwayFailure()
        return judgeStore(open, sha256, judged.tell)
      },
    )
  } finally {
    judged.end()
  }
}

/** What lies in an archive would count as erased, and nobody would judge it. */
function createAwayFailure(): CliFailure {
  const { means, why, fix } = REASONS.ARCHIVE_MISSING
  return new CliFailure({ code: 'ARCHIVE_MISSING', summary: means, why, fix })
}

const DEPTHS: Readonly<Record<Depth, string>> = {
  structure: ', structure only',
  signatures: ', structure and signatures only',
  fold: '',
}

function parseDepth(options: Options): Depth {
  const given = options.text('depth') ?? 'fold'
  const depth = (Object.keys(DEPTHS) as Depth[]).find((one) => one === given)
  if (depth !== undefined) return depth
  throw createUsageFailure(`\`${given}\` is no depth`, 'use --depth structure, signatures or fold')
}

function verifyOptions(options: Options): VerifyOptions {
  const depth = parseDepth(options)
  const signatures = options.text('signatures') ?? 'all'
  if (signatures !== 'all' && signatures !== 'none')
    throw createUsageFailure(
      `\`${signatures}\` is neither all nor none`,
      'use --signatures all or none',
    )
  const given = options.text('trust')
  const trust = given === undefined ? {} : { trust: readTrust(given) }
  return { signatures, depth, ...trust }
}

/**
 * A verifier key is also a path, so that whoever made a ledger could put a file of their own there.
 * What is a key, or looks like one, never names a file.
 */
function readTrust(given: string): Trust {
  const typed = parseTrust(given, nodeCrypto.sha256)
  if (typed.ok || VERIFIER_KEY.test(given)) return unwrap(typed)
  if (!existsSync(given))
    throw new CliFailure({ ...typed.error, why: `there is no file \`${given}\` either` })
  return unwrap(parseTrust(readFileSync(given, 'utf8'), nodeCrypto.sha256))
}

/** A store by its address, or a file that begins as a SQLite database does. */
function storeAddress(target: string): string | undefined {
  if (target.startsWith('sqlite:') || isPostgresAddress(target)) return target
  return existsSync(target) && isSqlite(target) ? `sqlite:${target}` : undefined
}

function isSqlite(path: string): boolean {
  const magic = Buffer.alloc(16)
  const file = openSync(path, 'r')
  try {
    readSync(file, magic, 0, magic.length, 0)
  } finally {
    closeSync(file)
  }
  return magic.toString('latin1') === 'SQLite format 3\0'
}

/** Of a file that is something else every line would be a finding. */
function verifyLedger(path: string, options: VerifyOptions): Report {
  const beginning = readBeginning(path)
  if (isLedgerLike(beginning)) return verifyFile(path, nodeCrypto, options)
  throw new CliFailure({
    code: 'NOT_A_LEDGER',
    summary: `\`${path}\` is not a ledger`,
    why:
      beginning.length === 0
        ? 'it is empty'
        : 'its first line is no header, no entry and no bundle',
    fix: WHAT_TO_GIVE,
  })
}

const BEGINNING = 4_096

function readBeginning(path: string): Uint8Array {
  try {
    const bytes = new Uint8Array(BEGINNING)
    const file = openSync(path, 'r')
    try {
      return bytes.subarray(0, readSync(file, bytes))
    } finally {
      closeSync(file)
    }
  } catch (cause) {
    const shown = redactAddress(path)
    throw new CliFailure({
      code: 'FILE_UNREADABLE',
      summary: `\`${shown}\` cannot be read`,
      // The system repeats what it was given, which may be an address with a password.
      why: String(cause instanceof Error ? cause.message : cause).replaceAll(path, shown),
      fix: WHAT_TO_GIVE,
    })
  }
}

export async function verifyStore(
  place: StorePlace,
  options: VerifyOptions,
  archives: readonly string[] = [],
): Promise<Report> {
  const { readWithArchives } = await import('./archive-option.ts')
  const { readLeafPages } = await import('rubicon-runtime/evidence')
  return readWithArchives(place, archives, async (store, away) => {
    // Before the tree: one that is made meanwhile covers more than is read.
    const checkpoint = (await store.readCheckpoint())?.note
    const last = checkpoint === undefined ? {} : { checkpoint }
    const { size, head } = await readSignedTree(store)
    const crypto = createHelpedCrypto()
    try {
      const isArchived: StoredOptions['isArchived'] = ({ envelope: { dfid = '' }, leaf }) =>
        away.get(dfid)?.has(leaf) === true
      const archived = away.size === 0 ? {} : { isArchived }
      const check = beginStored(crypto, { ...options, ...last, ...head, ...archived, size })
      for await (const page of readLeafPages(store, size)) check.push(page)
      return check.end()
    } finally {
      await crypto.close()
    }
  })
}

/** How far the tree goes, with its head. Whoever writes beside us may come between the two. */
async function readSignedTree(
  store: Pick<Store, 'readTree'>,
): Promise<{ readonly size: number; readonly head: { readonly head?: string } }> {
  for (let look = 1; ; look += 1) {
    const { size, head } = await store.readTree()
    const covers = head === null ? undefined : parseHeadText(head)?.body.size
    if (covers === size || look === LOOKS) return { size, head: head === null ? {} : { head } }
  }
}

const LOOKS = 20

const WORTH = {
  trusted: 'it agrees with what you trust',
  'self-consistent':
    'it fits together, by the keys that it names itself; --trust KEY compares them with one that you got elsewhere',
} as const

function showLaw(out: Output, law: LawReport): void {
  const { ok, decisions, findings, left_off, unjudged, on_the_word_of, by_manifest } = law
  const mark = out.symbol(ok ? SYMBOLS.allowed : SYMBOLS.rejected)
  const found = findings.length + left_off
  out.line(
    `${mark} decided again: ${decisions} decisions${found === 0 ? '' : `, ${found} findings`}`,
  )
  for (const { trajectory, seq, code, detail } of findings.slice(0, SHOWN_FINDINGS))
    out.line(`  ${escapeText(`${trajectory}/${seq}`)}  ${code}: ${escapeText(detail)}`)
  if (found > SHOWN_FINDINGS) out.line(`  and ${found - SHOWN_FINDINGS} more; --json lists them`)
  for (const [why, count] of Object.entries(unjudged))
    out.line(`  ${count} could not be decided again: ${escapeText(why)}`)
  for (const [code, count] of Object.entries(on_the_word_of))
    out.note(`${SYMBOLS.info} ${count} on the word of ${escapeText(code)}`)
  for (const [manifest, count] of Object.entries(by_manifest))
    out.note(`${SYMBOLS.info} ${count} computed again from the manifest ${escapeText(manifest)}`)
}

export function showReport(out: Output, report: Report): void {
  const {
    ok,
    depth,
    entries,
    signatures,
    checkpoint,
    erased,
    archived,
    unsettled,
    findings,
    strength,
  } = report
  const covered = checkpoint === null ? 'no checkpoint' : `root signed at ${checkpoint.size}`
  const facts = `${entries} entries, ${signatures.checked} signatures, ${covered}${DEPTHS[depth]}`
  if (ok) out.line(`${out.symbol(SYMBOLS.allowed)} verified: ${facts}`)
  else out.line(`${out.symbol(SYMBOLS.rejected)} ${findings.length} findings: ${facts}`)
  for (const { trajectory, seq, leaf, code, detail } of findings.slice(0, SHOWN_FINDINGS)) {
    const place =
      trajectory === null ? (leaf === null ? 'file' : `line ${leaf + 2}`) : `${trajectory}/${seq}`
    out.line(`  ${escapeText(place)}  ${code}: ${escapeText(detail)}`)
  }
  const more = findings.length - SHOWN_FINDINGS + report.left_off
  if (more > 0) out.line(`  and ${more} more; --json lists them`)
  if (erased > 0)
    out.line(
      `${out.symbol(SYMBOLS.info)} ${erased} payloads were erased; their hashes are still in the ledger`,
    )
  if (archived > 0)
    out.line(
      `${out.symbol(SYMBOLS.waiting)} ${archived} payloads lie in archives that were not read: of these only hashes were checked`,
    )
  if (unsettled !== null && unsettled > 0)
    out.line(
      `${out.symbol(SYMBOLS.info)} unsettled: ${unsettled} effects have no outcome in the ledger`,
    )
  if (strength !== null) out.note(`${SYMBOLS.info} ${WORTH[strength]}`)
}
