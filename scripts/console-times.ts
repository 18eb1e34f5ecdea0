/** How long it took until pages were seen and lists were answered, and which took longer than they may. */
import type { Look } from './console-look.ts'

export type Times = {
  /** By place, the median of all looks at it when it is full. */
  readonly fcp_ms: Readonly<Record<string, number>>
  /** By address, the same: of lists, and of everything else. */
  readonly list_ms: Readonly<Record<string, number>>
  readonly other_ms: Readonly<Record<string, number>>
  /** Pages and lists that take longer than they may. */
  readonly slow: readonly string[]
}

export type TakenTimes = {
  readonly fcp: Map<string, number[]>
  readonly asked: Map<string, number[]>
}

export function createTimes(): TakenTimes {
  return { fcp: new Map(), asked: new Map() }
}

const FCP_MS = 1_000
const LIST_MS = 200
/** Not a thing by its name, and not the world at a moment of the past. */
const LISTS = new RegExp(
  `^/v1/(${[
    'overview|inbox|escalations|flows|executions|decisions|ledger/entries',
    'agents|agent-activity|policies|monitors|topics|topic-events|mcp/servers|mcp/tools',
    'channels|persons|tokens|sessions|keys|writs|sources|tenants',
    'trajectories|trajectories/[^/?]+/(entries|world|artifacts|artifacts/plans|artifacts/changes)',
  ].join('|')})([?](?!(.*&)?at=).*)?$`,
)

export function summariseTimes({ fcp, asked }: TakenTimes): Times {
  const fcp_ms = computeMedians(fcp)
  const answers = Object.entries(computeMedians(asked))
  const list_ms = Object.fromEntries(answers.filter(([path]) => isList(path)))
  const other_ms = Object.fromEntries(answers.filter(([path]) => !isList(path)))
  const slow = [...listExceeding(fcp_ms, FCP_MS), ...listExceeding(list_ms, LIST_MS)]
  return { fcp_ms, list_ms, other_ms, slow }
}

/** What a demo answers about a few flows says nothing about what the same address takes with many. */
const OF_DEMO = 'demo '

export function recordTimes(
  { fcp, asked }: TakenTimes,
  name: string,
  { fcp_ms, asked_ms }: Look,
  isDemo: boolean,
): void {
  fcp.set(name, [...(fcp.get(name) ?? []), fcp_ms])
  for (const [path, ms] of Object.entries(asked_ms)) {
    const at = `${isDemo ? OF_DEMO : ''}${nameQuestion(path)}`
    asked.set(at, [...(asked.get(at) ?? []), ms])
  }
}

/** What a page counts from now is another moment in each look, and the same question. */
function nameQuestion(path: string): string {
  return path.replaceAll(/\b(since|until)=[^&]+/g, '$1=…')
}

export function isList(path: string): boolean {
  return LISTS.test(path.startsWith(OF_DEMO) ? path.slice(OF_DEMO.length) : path)
}

function computeMedians(
  times: ReadonlyMap<string, readonly number[]>,
): Readonly<Record<string, number>> {
  const computeMedian = (values: readonly number[]): number =>
    Math.round(values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0)
  return Object.fromEntries([...times].map(([name, values]) => [name, computeMedian(values)]))
}

function listExceeding(times: Readonly<Record<string, number>>, most: number): readonly string[] {
  return Object.entries(times)
    .filter(([, ms]) => ms >= most)
    .map(([name, ms]) => `${name}: ${ms} ms, not below ${most}`)
}
