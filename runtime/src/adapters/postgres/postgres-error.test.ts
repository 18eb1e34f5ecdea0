import { equal, match } from 'node:assert/strict'
import { describe, it } from 'node:test'
import { inspect } from 'node:util'
import { commit, putFlow } from '../../ports/conformance/fixture.ts'
import { StoreError, type StoreErrorCode } from '../../ports/store.ts'
import { isAway, isRace, storeError } from './postgres-error.ts'
import {
  createFreshDatabase,
  describeWithServer,
  getServer,
  open,
  parseDatabaseName,
} from './testing.ts'

const ADDRESS = 'postgres://u:secret@h/d'

function said(code: string, severity = 'ERROR'): Error {
  return Object.assign(new Error('the server says no'), { code, severity })
}

describe('what the server says', () => {
  it('has a code of the port, a fix, and no password', () => {
    const cases: Readonly<Record<string, StoreErrorCode>> = {
      '53100': 'STORE_FULL',
      '25006': 'STORE_READ_ONLY',
      '42501': 'STORE_READ_ONLY',
      '55P03': 'STORE_LOCKED',
      '3D000': 'STORE_MISSING',
      '28P01': 'STORE_ERROR',
      '53200': 'STORE_ERROR',
      '53300': 'STORE_ERROR',
      '57014': 'STORE_ERROR',
      '57P01': 'STORE_ERROR',
      XX001: 'STORE_CORRUPT',
      '22000': 'STORE_ERROR',
    }
    for (const [state, code] of Object.entries(cases)) {
      const error = storeError(said(state), ADDRESS)
      equal(error.code, code, state)
      match(error.message, /the server says no/)
      equal(error.message.includes('secret'), false)
      equal(error.fix.length > 0, true)
    }
  })

  it('does not hold the password, whoever says it again, nor does its cause', () => {
    for (const address of ['postgres://u:hunter%2F2x@h/d', 'postgres://u@h/d?password=hunter%2F2x'])
      for (const text of [
        'hunter/2x',
        'hunter%2F2x',
        Buffer.from('u:hunter/2x').toString('base64'),
      ]) {
        const telling = Object.assign(new Error(`password ${text} is wrong`), {
          code: '28P01',
          severity: 'FATAL',
        })
        for (const error of [telling, new Error(`cannot parse ${text}`)]) {
          const shown = inspect(storeError(error, address))
          equal(shown.includes(text.slice(-8)), false, shown)
          match(shown, /\[password\]/)
        }
      }
  })

  it('is kept when it is the port’s already', () => {
    const error = new StoreError('STORE_FULL', 'a', 'b')
    equal(storeError(error, ADDRESS), error)
  })

  it('is a race, or absence, or neither', () => {
    for (const state of ['40001', '40P01', '23505']) equal(isRace(said(state)), true)
    for (const state of ['57P01', '57P02', '57P03', '53300']) {
      equal(isAway(said(state, 'FATAL')), true)
    }
    const network = Object.assign(new Error('connect'), {
      code: 'ECONNREFUSED',
      syscall: 'connect',
    })
    for (const error of [
      network,
      new AggregateError([network]),
      new Error('Connection terminated unexpectedly'),
      new Error('timeout exceeded when trying to connect'),
    ]) {
      equal(isAway(error), true)
      equal(storeError(error, ADDRESS).code, 'STORE_ERROR')
    }
    for (const error of [said('22021'), said('28P01', 'FATAL'), new TypeError('a bug'), 'text']) {
      equal(isAway(error), false)
      equal(isRace(error), false)
    }
  })
})

describeWithServer('a full disk', () => {
  it('is said as such, and nothing is written', async () => {
    const address = await createFreshDatabase()
    const one = await getServer()
    await one.query(
      parseDatabaseName(address),
      `CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN RAISE EXCEPTION 'no space left' USING ERRCODE = 'disk_full'; END $$;
      CREATE TRIGGER full_disk BEFORE INSERT ON flows FOR EACH ROW EXECUTE FUNCTION full_disk()`,
    )
    const store = await open(address)
    const unit = commit(store, [{ kind: 'count', id: 'c', by: 1 }, putFlow(1)])
    const error = await unit.catch((reason: unknown) => reason)
    equal(error instanceof StoreError && error.code, 'STORE_FULL')
    equal(await store.readCounter('c'), 0)
  })
})
