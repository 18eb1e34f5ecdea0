import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseActiveHours } from './active-hours.ts'

test('days, a span of the day and a zone are read', () => {
  assert.deepEqual(parseActiveHours('Mon-Fri 09:00-17:30 Europe/Warsaw'), {
    days: [0, 1, 2, 3, 4],
    from: 540,
    to: 1050,
    zone: 'Europe/Warsaw',
  })
  assert.deepEqual(parseActiveHours('Mon-Wed,Fri,Sun 00:00-24:00 UTC'), {
    days: [0, 1, 2, 4, 6],
    from: 0,
    to: 1440,
    zone: 'UTC',
  })
  const zones = ['America/Argentina/Buenos_Aires', 'America/Port-au-Prince', 'EST5EDT']
  zones.push('Etc/GMT+10', 'Etc/GMT-9', 'A/Zz', 'a/Az')
  for (const zone of zones) assert.equal(parseActiveHours(`Sat 23:59-24:00 ${zone}`)?.zone, zone)
})

const WRONG: readonly string[] = [
  '',
  'Mon-Fri',
  'Mon-Fri 09:00-17:30',
  '09:00-17:30 Europe/Warsaw',
  'Mon-Fri  09:00-17:30 Europe/Warsaw',
  'Mon-Fri 09:00-17:30 Europe/Warsaw summer',
  // Days: in one spelling, in the order of the week, none twice.
  'mon-fri 09:00-17:30 UTC',
  'Monday 09:00-17:30 UTC',
  'Fri-Mon 09:00-17:30 UTC',
  'Mon-Mon 09:00-17:30 UTC',
  'Mon-Tue-Wed 09:00-17:30 UTC',
  'Tue,Mon 09:00-17:30 UTC',
  'Mon-Wed,Wed 09:00-17:30 UTC',
  'Mon, 09:00-17:30 UTC',
  'Mon- 09:00-17:30 UTC',
  'Mon 0a:00-17:30 UTC',
  'Mon a0:00-17:30 UTC',
  'Mon 0/:00-17:30 UTC',
  'Mon /0:00-17:30 UTC',
  'Mon 09:0:-17:30 UTC',
  'Mon 09:/0-17:30 UTC',
  // Hours: two digits each, from before to.
  'Mon 9:00-17:30 UTC',
  'Mon 09:00 UTC',
  'Mon 09:00-12:00-17:00 UTC',
  'Mon 09:00-09:00 UTC',
  'Mon 17:30-09:00 UTC',
  'Mon 09:60-17:30 UTC',
  'Mon 09:00-24:01 UTC',
  'Mon 09.00-17.30 UTC',
  'Mon 0x:00-17:30 UTC',
  'Mon x9:00-17:30 UTC',
  'Mon 09:0x-17:30 UTC',
  'Mon 09:/0-17:30 UTC',
  // Zones: names, not offsets.
  'Mon 09:00-17:30 +01:00',
  'Mon 09:00-17:30 Europe/',
  'Mon 09:00-17:30 /Warsaw',
  'Mon 09:00-17:30 Europe/Łódź',
  'Mon 09:00-17:30 Europe/9',
  'Mon 09:00-17:30 Europe{Warsaw',
  'Mon 09:00-17:30 Europe/W@rsaw',
  `Mon 09:00-17:30 ${'A'.repeat(65)}`,
]

test('anything written in another way is not read', () => {
  for (const text of WRONG) assert.equal(parseActiveHours(text), undefined, text)
  assert.ok(parseActiveHours(`Mon 09:00-17:30 ${'A'.repeat(64)}`) !== undefined)
})
