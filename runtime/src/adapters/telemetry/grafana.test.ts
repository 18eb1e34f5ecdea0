import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { COUNTERS, GAUGES, HISTOGRAMS, type MetricSeries } from '../../ports/telemetry.ts'
import { createMetrics } from './metrics.ts'
import { parsePrometheus } from './prometheus.test-support.ts'

type Panel = {
  readonly title: string
  readonly type: string
  readonly targets?: readonly { readonly expr: string }[]
}
type Dashboard = { readonly panels: readonly Panel[] }

const PATH = join(import.meta.dirname, '../../../../observability/grafana.json')
const dashboard = JSON.parse(readFileSync(PATH, 'utf8')) as Dashboard
const expressions = dashboard.panels.flatMap(({ title, targets = [] }) =>
  targets.map(({ expr }) => ({ title, expr })),
)
const SERIES: Readonly<Record<string, MetricSeries>> = { ...COUNTERS, ...HISTOGRAMS, ...GAUGES }

/** Every name that is not called as a function, nor a label, a word of the language or a number. */
function seriesIn(expr: string): readonly string[] {
  const bare = expr.replaceAll(/"[^"]*"|\{[^}]*\}|\[[^\]]*\]|\b(by|without) \([^)]*\)/g, ' ')
  return [...bare.matchAll(/\b[a-z][a-z0-9_]*\b(?!\s*\()/g)].map(([name]) => name)
}

function labelsIn(expr: string): readonly string[] {
  const grouped = [...expr.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, names = '']) =>
    names.split(','),
  )
  const matched = [...expr.matchAll(/([a-z_]+)=~?"/g)].map(([, name = '']) => name)
  return [...grouped.map((name) => name.trim()), ...matched].filter((name) => name !== 'le')
}

test('the dashboard refers only to series that are rendered, by labels that they have', async (t) => {
  const metrics = createMetrics(10)
  t.after(() => metrics.close())
  const rendered = parsePrometheus(await metrics.render([]))
  for (const { title, expr } of expressions) {
    const names = seriesIn(expr)
    assert.equal(names.length, 1, `${title}: one series in \`${expr}\``)
    const family = names[0]?.replace(/_bucket$/, '') ?? ''
    assert.ok(rendered.has(family), `${title}: \`${family}\` does not exist`)
    assert.equal(names[0]?.endsWith('_bucket'), family in HISTOGRAMS, title)
    for (const label of labelsIn(expr))
      assert.ok(
        SERIES[family]?.labels.some((name) => name === label),
        `${title}: no \`${label}\``,
      )
  }
})

test('a series or a label that does not exist would be noticed', () => {
  assert.deepEqual(seriesIn('sum by (a, b) (rate(gone_total{x="y"}[5m]))'), ['gone_total'])
  assert.deepEqual(labelsIn('sum by (a, b) (rate(gone_total{x=~"y"}[5m]))'), ['a', 'b', 'x'])
})

test('every series has a place on the dashboard, the golden signals first', () => {
  const shown = new Set(
    expressions.flatMap(({ expr }) => seriesIn(expr)).map((name) => name.replace(/_bucket$/, '')),
  )
  assert.deepEqual([...shown].toSorted(), Object.keys(SERIES).toSorted())
  assert.deepEqual([...shown].slice(0, 6), [
    'validation_latency_ms',
    'stale_context_reject_rate',
    'escalation_count',
    'resource_lock_contention',
    'token_budget_burn',
    'idempotency_hit_rate',
  ])
})
