/** One artifact at one moment: its symbols, the one that is chosen, and what came to it over time. */
import { type ReactNode, useRef } from 'react'
import type { ArtifactPage } from 'rubicon-agents/client'
import { useBell } from '../../api/live.tsx'
import { AgentText } from '../../parts/agent-text.tsx'
import { ListDetail } from '../../parts/list-detail.tsx'
import { toArtifactPath } from '../../url/artifact-path.ts'
import { Link } from '../../url/link.tsx'
import { usePlace, useQuery } from '../../url/location.ts'
import { MomentControls } from '../world/moment-controls.tsx'
import { useFollowedMoment } from '../world/use-followed-moment.tsx'
import { useLastStop } from '../world/use-last-stop.ts'
import { ChangeMarks, ChangeSteps } from './change-steps.tsx'
import { CompareChoice } from './compare-choice.tsx'
import { SymbolDetail } from './symbol-detail.tsx'
import {
  buildSymbolRows,
  type KnownSymbol,
  listClaims,
  listMarks,
  mergeKnownSymbols,
  type SymbolRow,
  toKnownSymbols,
} from './symbol-rows.ts'
import { SymbolTree } from './symbol-tree.tsx'
import { TrajectoryChoice } from './trajectory-choice.tsx'
import {
  type ArtifactAsked,
  type Kept,
  useChanges,
  useComparison,
  useMoment,
  usePlans,
  useSymbols,
} from './use-artifact.ts'
import './artifacts.css'
import '../world/world-page.css'

export type ArtifactViewProps = { readonly trajectory: string; readonly name: string }

export function ArtifactView({ trajectory, name }: ArtifactViewProps): ReactNode {
  const { query } = usePlace()
  const at = query.get('at') ?? ''
  const head = useMoment(trajectory, '')
  const now = useMoment(trajectory, at)
  const latest = toArtifactPath(name, { trajectory })
  const shown = useFollowedMoment({ trajectory, at, what: 'the artifact', latest }, head, now)
  if ('instead' in shown) return shown.instead
  return <Moment trajectory={trajectory} name={name} at={at} head={shown.head} now={shown.now} />
}

type MomentProps = ArtifactViewProps & {
  /** Empty: live. */
  readonly at: string
  readonly head: ArtifactPage
  readonly now: ArtifactPage
}

function Moment({ trajectory, name, at, head, now }: MomentProps): ReactNode {
  const { seq } = now.moment
  const [compared] = useQuery('since')
  const [path] = useQuery('path')
  const stop = useLastStop(seq)
  const since = compared === '' ? stop : Number(compared)
  const asked = { trajectory, name, at }
  const { rows, symbols, plans, changes, comparison, fold } = useHeld(asked, since, seq)
  return (
    <div className="world">
      <div className="artifact-head row">
        <Link href={toArtifactPath('', { trajectory })}>Artifacts</Link>
        <h2 className="mono wrap">
          <AgentText text={name} />
        </h2>
        <TrajectoryChoice trajectory={trajectory} name={name} />
      </div>
      <MomentControls trajectory={trajectory} head={head} now={now} live={at === ''}>
        <ChangeMarks changes={changes.rows} seq={seq} last={head.entries - 1} />
      </MomentControls>
      <div className="row moment-filters">
        <ChangeSteps changes={changes.rows} seq={seq} />
        <CompareChoice seq={seq} compared={compared} />
      </div>
      <div className="world-body">
        <ListDetail
          list={<SymbolTree rows={rows} state={symbols} seq={seq} selected={path} fold={fold} />}
          detail={
            <SymbolDetail
              asked={asked}
              path={path}
              seq={seq}
              changes={changes}
              plans={plans}
              comparison={comparison}
              since={since}
              isCompared={compared !== ''}
            />
          }
        />
      </div>
    </div>
  )
}

type Held = {
  readonly rows: readonly SymbolRow[]
  readonly symbols: ReturnType<typeof useSymbols>
  readonly plans: ReturnType<typeof usePlans>
  readonly changes: ReturnType<typeof useChanges>
  readonly comparison: ReturnType<typeof useComparison>
  readonly fold: (path: string, isFolded: boolean) => void
}

/** What the artifact holds at this moment, and what is known of it besides; live, it follows. */
function useHeld(asked: ArtifactAsked, since: number, seq: number): Held {
  const { trajectory, name, at } = asked
  const [foldedText, setFolded] = useQuery('folded')
  const symbols = useSymbols(asked)
  const known = useKnownSymbols({ trajectory, name }, symbols)
  const plans = usePlans(trajectory, at)
  const changes = useChanges(trajectory, name)
  const comparison = useComparison({ trajectory, name }, since, seq)
  useBell(
    ({ trajectory: moved }) => moved === trajectory,
    () => {
      changes.look()
      known.again()
      if (at !== '') return
      symbols.again()
      plans.again()
    },
  )
  const folded = new Set(foldedText === '' ? [] : foldedText.split('\n'))
  // The answer about the moments before is there until the next one is.
  const isOfThese =
    comparison.state === 'ready' &&
    comparison.value?.from.seq === since &&
    comparison.value.to.seq === seq
  const rows = buildSymbolRows({
    known: known.rows,
    symbols: symbols.state === 'ready' ? symbols.value : [],
    marks: listMarks(isOfThese ? comparison.value : null),
    claims: listClaims(plans.state === 'ready' ? plans.value : [], name),
    folded,
  })
  const fold: Held['fold'] = (path, isFolded) => setFolded(toFoldedText(folded, path, isFolded))
  return { rows, symbols, plans, changes, comparison, fold }
}

/** Every symbol that was seen since the page was opened, and those of the latest entry: rows stay. */
function useKnownSymbols(
  { trajectory, name }: ArtifactViewProps,
  now: ReturnType<typeof useSymbols>,
): Pick<Kept<never>, 'again'> & { readonly rows: readonly KnownSymbol[] } {
  const latest = useSymbols({ trajectory, name, at: '' })
  const rows = useRef<readonly KnownSymbol[]>([])
  // Those of the latest entry come first: what the others have besides is put between them.
  const isSettled = latest.state !== 'loading'
  for (const reply of isSettled ? [latest, now] : [])
    if (reply.state === 'ready')
      rows.current = mergeKnownSymbols(rows.current, toKnownSymbols(reply.value))
  return { rows: rows.current, again: latest.again }
}

function toFoldedText(folded: ReadonlySet<string>, path: string, isFolded: boolean): string {
  const others = [...folded].filter((one) => one !== path)
  return (isFolded ? [...others, path] : others).join('\n')
}
