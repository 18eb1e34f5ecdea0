import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chooseAxisLabels } from './axis-labels.ts'

const MINUTE = 60_000
const DAY = 86_400_000

function listWalls(from: string, count: number, step: number): readonly string[] {
  const first = Date.parse(`${from}:00Z`)
  const moment = (index: number): string => new Date(first + index * step).toISOString()
  return Array.from({ length: count }, (_, index) => moment(index).slice(0, 16).replace('T', ' '))
}

const show = (walls: readonly string[]): readonly string[] =>
  chooseAxisLabels(walls).map(({ text, coarse }) => (coarse ? `${text}!` : text))

test('a day has a time every two hours, and the date where it begins', () => {
  const walls = listWalls('2026-11-03T17:15', 96, 15 * MINUTE)
  assert.deepEqual(show(walls), [
    ...['18:00', '20:00!', '22:00', '4 Nov!', '02:00', '04:00!'],
    ...['06:00', '08:00!', '10:00', '12:00!', '14:00', '16:00!'],
  ])
  assert.equal(chooseAxisLabels(walls)[0]?.index, 3)
})

test('an hour has a time every five minutes', () => {
  const [first, ...others] = show(listWalls('2026-11-03T11:01', 60, MINUTE))
  assert.deepEqual([first, others.length, others.at(-1)], ['11:05', 11, '12:00!'])
})

test('of a week every day has its date, of a month every third', () => {
  assert.deepEqual(show(listWalls('2026-11-03T12:00', 56, 180 * MINUTE)), [
    ...['4 Nov', '5 Nov!', '6 Nov', '7 Nov!', '8 Nov', '9 Nov!', '10 Nov'],
  ])
  assert.equal(show(listWalls('2026-10-20T00:00', 60, DAY / 2)).length, 10)
})

test('columns that do not begin at midnight have the date below the first of the day', () => {
  const walls = listWalls('2026-11-02T13:00', 60, DAY / 2)
  const [label] = chooseAxisLabels(walls)
  assert.match(walls[label?.index ?? -1] ?? '', /01:00$/)
  assert.match(label?.text ?? '', /^\d+ Nov$/)
})

test('whatever is shown: twelve at most, and six at most of them coarse', () => {
  for (const step of [MINUTE, 15 * MINUTE, 60 * MINUTE, DAY / 2, DAY, 7 * DAY])
    for (let count = 0; count < 130; count += 1) {
      const labels = chooseAxisLabels(listWalls('2026-11-03T17:15', count, step))
      const coarse = labels.filter((label) => label.coarse)
      assert.ok(labels.length <= 12 && coarse.length <= 6, `${count} of ${step}`)
    }
})
