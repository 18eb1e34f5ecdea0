/** The tokens as they are written, in both themes: whatever is read is told from what it stands on. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'

const TOKENS = readFileSync(new URL('./tokens.css', import.meta.url), 'utf8')
const PAIR = /--([a-z0-9-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)/g
const COLOURS = new Map(
  [...TOKENS.matchAll(PAIR)].map(([, name = '', light = '', dark = '']) => [name, { light, dark }]),
)

/** WCAG 2.2, AA, for text of any size. */
const LEAST = 4.5

const GROUNDS = ['ground', 'card', 'overlay', 'ground-2', 'ground-3', 'selected']
const STANDINGS = ['allowed', 'rejected', 'waiting', 'unknown', 'running', 'repeated']

const READ: readonly (readonly [ink: string, ground: string])[] = [
  ...['ink', 'ink-2', 'link', ...STANDINGS].flatMap((ink) =>
    GROUNDS.map((ground) => [ink, ground] as const),
  ),
  ...STANDINGS.map((standing) => [standing, `${standing}-ground`] as const),
  ...STANDINGS.map((standing) => ['ink', `${standing}-ground`] as const),
]

test('text and status have a contrast of at least 4.5 on every elevation, light and dark', () => {
  const poor = READ.flatMap(([ink, ground]) =>
    (['light', 'dark'] as const)
      .map((theme) => ({
        theme,
        ratio: computeContrast(findColour(ink)[theme], findColour(ground)[theme]),
      }))
      .filter(({ ratio }) => ratio < LEAST)
      .map(({ theme, ratio }) => `${ink} on ${ground}, ${theme}: ${ratio.toFixed(2)}`),
  )
  assert.deepEqual(poor, [])
})

/** WCAG 2.2, AA, for what is no text. */
const LEAST_OF_AREAS = 3

test('bars and charts have a contrast of at least 3 on every elevation, light and dark', () => {
  const poor = STANDINGS.flatMap((standing) =>
    ['ground', 'card', 'overlay', 'ground-2'].flatMap((ground) =>
      (['light', 'dark'] as const)
        .map((theme) => ({
          theme,
          ratio: computeContrast(findColour(`${standing}-fill`)[theme], findColour(ground)[theme]),
        }))
        .filter(({ ratio }) => ratio < LEAST_OF_AREAS)
        .map(({ theme, ratio }) => `${standing} on ${ground}, ${theme}: ${ratio.toFixed(2)}`),
    ),
  )
  assert.deepEqual(poor, [])
})

test('white is read on every button', () => {
  for (const name of ['button', 'button-hover', 'danger', 'danger-hover'])
    for (const colour of Object.values(findColour(name)))
      assert.ok(computeContrast('#ffffff', colour) >= LEAST, `${name} ${colour}`)
})

function findColour(name: string): { readonly light: string; readonly dark: string } {
  const found = COLOURS.get(name)
  assert.ok(found, `there is a token --${name}`)
  return found
}

function computeContrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [computeLuminance(one), computeLuminance(other)].sort(
    (a, b) => a - b,
  )
  return (light + 0.05) / (dark + 0.05)
}

function computeLuminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(colour.slice(at, at + 2), 16) / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
