import { equal } from 'node:assert/strict'
import { test } from 'node:test'
import { borrowPostgres } from './loan.ts'

test('a database that somebody named is lent as it is, and survives being given back', async () => {
  const address = 'postgres://nobody@nowhere.example/rubicon'
  const loan = await borrowPostgres({ RUBICON_POSTGRES: address })
  equal(loan?.address, address)
  await loan?.giveBack()
})
