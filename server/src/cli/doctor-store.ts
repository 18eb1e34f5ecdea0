/** What the doctor asks of the store: whole, not rolled back, ours, and nothing left hanging. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type Authority, formatInstant, isKeyInUse, LIMITS } from 'rubicon-kernel'
import {
  createOperator,
  findPresentVouching,
  openPresentFolder,
  resolveStateDirectory,
} from 'rubicon-runtime/compose'
import type { Context } from 'rubicon-runtime/engine'
import { checkRows, findDamage } from 'rubicon-runtime/engine/ledger'
import {
  CONFIRMED,
  computeTimeByClock,
  isPostgresAddress,
  parseConfirmed,
  redactAddress,
  StoreError,
} from 'rubicon-runtime/ports'
import type { StorePlace } from './call.ts'
import { checkContents } from './doctor-artifacts.ts'
import {
  createFailedCheck,
  createPassedCheck,
  createWarningCheck,
  type DoctorCheck,
} from './doctor-check.ts'
import { OWN_PURPOSES } from './doctor-machine.ts'
import { parseSqlitePath, toRuntimeOptions } from './open.ts'
import { findStoreFix } from './store-missing.ts'

const LISTED = 1_000
const DIVERGED_FIX = 'see `rubicon explain STORE_DIVERGED`'

/** `files`: the folder of artifacts that it is asked about. */
export async function storeChecks(
  place: StorePlace,
  files: string | undefined,
): Promise<readonly DoctorCheck[]> {
  const path = parseSqlitePath(place.store)
  if (path !== undefined ? !existsSync(path) : !isPostgresAddress(place.store))
    return [createStoreMissingCheck(place)]
  try {
    const distrusted: string[] = []
    const options = toRuntimeOptions(place)
    const keys = join(place.state ?? resolveStateDirectory(place.store), 'keys')
    const vouching = findPresentVouching(
      openPresentFolder(keys, options.passphrase),
      ({ message }) => void distrusted.push(message),
    )
    const { context } = await createOperator(options, 'read', vouching)
    try {
      const whole =
        path === undefined ? createPassedCheck('store', 'the server answers') : checkStoreFile(path)
      return [
        whole,
        ...(await lookInto(context, path === undefined, distrusted)),
        ...(await checkContents(context, place, files)),
      ]
    } finally {
      await context.store.close()
    }
  } catch (error) {
    if (error instanceof StoreError && error.code === 'STORE_MISSING')
      return [createStoreMissingCheck(place)]
    const why = error instanceof Error ? error.message : String(error)
    return [createFailedCheck('store', why, findFix(error))]
  }
}

function createStoreMissingCheck({ store }: StorePlace): DoctorCheck {
  const shown = redactAddress(store)
  const fix = findStoreFix(store) ?? 'check --store; `rubicon contract deploy FILE` makes a new one'
  return createWarningCheck('store', `${shown} is not there yet`, fix)
}

function findFix(error: unknown): string {
  return error instanceof Error && 'fix' in error ? String(error.fix) : 'restore a backup'
}

function checkStoreFile(path: string): DoctorCheck {
  const database = new DatabaseSync(path, { readOnly: true })
  try {
    const found = database.prepare('PRAGMA quick_check(1)').get()?.quick_check
    return found === 'ok'
      ? createPassedCheck('store', 'the file is whole')
      : createFailedCheck('store', String(found), 'keep the file as evidence and restore a backup')
  } finally {
    database.close()
  }
}

async function lookInto(
  context: Context,
  isShared: boolean,
  distrusted: readonly string[],
): Promise<readonly DoctorCheck[]> {
  const authority = await context.authorities.loadLatest()
  if (authority.seq < 0)
    return [createWarningCheck('ledger', 'it is empty', '`rubicon contract deploy FILE`')]
  return [
    await checkLedger(context),
    await checkStoreClock(context, isShared),
    await checkFlowRows(context, distrusted),
    checkKeys(context, authority),
    checkUnsafeEffects(authority),
    ...(await checkExecutions(context)),
    await checkRequests(context),
    await checkNotices(context),
  ]
}

async function checkLedger(context: Context): Promise<DoctorCheck> {
  const damage = await findDamage(context)
  if (damage !== null) return createFailedCheck('ledger', damage.summary, damage.fix ?? '')
  const entries = await context.store.countLeaves()
  const covered = (await context.store.readCheckpoint())?.size ?? 0
  return createPassedCheck('ledger', `${entries} entries, ${covered} under a signed checkpoint`)
}

/** By the limits of a runtime that starts. Where processes share a store, its server has the time. */
async function checkStoreClock({ store, clock }: Context, isShared: boolean): Promise<DoctorCheck> {
  if (isShared) return createPassedCheck('time', 'it is that of the server')
  const heads = await store.listHeads()
  const last = Math.max(...heads.map(({ at }) => Date.parse(at)))
  const { record, group, key } = CONFIRMED
  const confirmed = parseConfirmed(await store.readRecord(record, group, key))
  const now = clock.now()
  const time = confirmed === null ? now : computeTimeByClock(now, confirmed)
  const isAhead = time > last + LIMITS.clockStepMs
  if (!isAhead && time >= last - LIMITS.clockSkewMs)
    return createPassedCheck('time', 'the clock can be believed')
  return createFailedCheck(
    'time',
    `the clock stands at ${formatInstant(now)}, ${isAhead ? 'far ahead of' : 'behind'} the newest entry of ${formatInstant(last)}`,
    'set the clock, or confirm it: `rubicon clock confirm --reason "…"`',
  )
}

/** Before a start does, which refuses what differs. `distrusted`: what was read meanwhile and not believed. */
async function checkFlowRows(
  context: Context,
  distrusted: readonly string[],
): Promise<DoctorCheck> {
  try {
    const flows = await checkRows(context)
    const [first] = distrusted
    return first === undefined
      ? createPassedCheck('rows', `those of ${flows.length} open flows say what the ledger says`)
      : createWarningCheck('rows', `${first}, and counts as absent`, DIVERGED_FIX)
  } catch (error) {
    if (!(error instanceof StoreError)) throw error
    // What is absent because its code does not fit is the cause of what is missed.
    return createFailedCheck('rows', distrusted[0] ?? error.message, error.fix)
  }
}

function checkKeys({ signer }: Context, authority: Authority): DoctorCheck {
  const strange = OWN_PURPOSES.filter((purpose) => {
    const own = signer.publicKey(purpose)
    const record = own === null ? undefined : authority.keys.get(own.key_id)
    return record === undefined || !isKeyInUse(record)
  })
  return strange.length === 0
    ? createPassedCheck('registered', 'the keys here are those of this store')
    : createFailedCheck(
        'registered',
        `this store does not count on the ${strange.join(', ')} key here`,
        'use the state directory that it was made with (--state)',
      )
}

/** An effect that can be neither repeated nor asked about leaves every lost answer to a person. */
function checkUnsafeEffects({ rules }: Authority): DoctorCheck {
  const unsafe = (rules?.capabilities ?? []).filter(
    ({ effect, idempotency, probe }) =>
      effect === 'unsafe' ||
      (effect === 'keyed' && idempotency === undefined && probe === undefined),
  )
  const kinds = unsafe.map(({ kind }) => kind).join(', ')
  return unsafe.length === 0
    ? createPassedCheck('capabilities', 'a lost answer can always be settled')
    : createWarningCheck(
        'capabilities',
        `a lost answer of ${kinds} needs a person`,
        'give it a key window or a probe',
      )
}

async function checkExecutions({ store }: Context): Promise<readonly DoctorCheck[]> {
  const unknown = await store.listExecutions({ status: ['UNKNOWN'], limit: LISTED })
  const manual = await store.listExecutions({ status: ['MANUAL_REVIEW'], limit: LISTED })
  return [
    unknown.length === 0
      ? createPassedCheck('unknown', 'no effect is uncertain')
      : createWarningCheck(
          'unknown',
          `${unknown.length} effects`,
          '`rubicon executions reconcile --rules MODULE`',
        ),
    manual.length === 0
      ? createPassedCheck('review', 'no effect is under manual review')
      : createWarningCheck(
          'review',
          `${manual.length} effects are under manual review`,
          '`rubicon executions list`, then `rubicon executions resolve`',
        ),
  ]
}

/** Whoever asked goes on only when somebody has decided. */
async function checkRequests({ store }: Context): Promise<DoctorCheck> {
  const open = await store.countRows({ of: 'records', record: 'escalation', group: 'open' })
  return open === 0
    ? createPassedCheck('requests', 'none waits for a decision')
    : createWarningCheck(
        'requests',
        `${open} wait for somebody to decide`,
        '`rubicon escalations list`',
      )
}

/** What was to be told and reached nobody: somebody may still not know. */
async function checkNotices({ store }: Context): Promise<DoctorCheck> {
  const failed = await store.countRows({ of: 'records', record: 'notice', group: 'failed' })
  const due = await store.countRows({ of: 'records', record: 'notice', group: 'due' })
  if (failed === 0)
    return createPassedCheck('notices', due === 0 ? 'all are sent' : `${due} on their way`)
  return createWarningCheck(
    'notices',
    `${failed} reached nobody`,
    'see that the channel answers, and look at `rubicon escalations list` and `rubicon executions list`',
  )
}
