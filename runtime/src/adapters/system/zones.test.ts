import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemZones } from './zones.ts'

function shown(zone: string, at: string): string {
  const { weekday, minute } = systemZones.localTime(zone, Date.parse(at))
  const padded = (value: number): string => String(value).padStart(2, '0')
  return `${weekday} ${padded(Math.floor(minute / 60))}:${padded(minute % 60)}`
}

test('the clocks of a zone are shown, in winter and in summer', () => {
  assert.equal(shown('UTC', '2026-06-01T12:34:56.789Z'), '0 12:34')
  assert.equal(shown('Europe/Warsaw', '2026-01-05T08:00:00Z'), '0 09:00')
  assert.equal(shown('Europe/Warsaw', '2026-06-01T07:00:00Z'), '0 09:00')
  assert.equal(shown('Asia/Kathmandu', '2026-06-01T00:00:00Z'), '0 05:45')
})

test('a zone is in its own day, and midnight is hour 0', () => {
  assert.equal(shown('Pacific/Auckland', '2026-06-07T12:00:00Z'), '0 00:00')
  assert.equal(shown('America/New_York', '2026-06-08T03:59:00Z'), '6 23:59')
  assert.equal(shown('America/New_York', '2026-06-08T04:00:00Z'), '0 00:00')
})

test('the clocks go forward and back where the zone changes them', () => {
  assert.equal(shown('Europe/Warsaw', '2026-03-29T00:59:59.999Z'), '6 01:59')
  assert.equal(shown('Europe/Warsaw', '2026-03-29T01:00:00Z'), '6 03:00')
  assert.equal(shown('Europe/Warsaw', '2026-10-25T00:59:59.999Z'), '6 02:59')
  assert.equal(shown('Europe/Warsaw', '2026-10-25T01:00:00Z'), '6 02:00')
})

test('a name that is no zone is not known', () => {
  for (const zone of ['Europe/Atlantis', 'Mars', '']) assert.equal(systemZones.knows(zone), false)
  for (const zone of ['UTC', 'Europe/Warsaw', 'Etc/GMT+1'])
    assert.equal(systemZones.knows(zone), true)
})
