/** Topics on the left, agents on the right, and a line for everybody who listens. */
import type { ReactNode } from 'react'
import type { ListedEvent, ListedTopic, TopicListener } from 'rubicon-agents/client'
import { getAgentStanding } from '../../parts/standing.ts'
import { Status } from '../../parts/status.tsx'
import { toVisibleText } from '../../parts/visible-text.ts'
import { When } from '../../parts/when.tsx'
import { Link } from '../../url/link.tsx'
import { describeEventOutcome, toRoleName } from './event-words.ts'
import { buildMesh, type Mesh, type MeshTopic } from './mesh-rows.ts'
import './mesh-picture.css'

const ROW_PX = 64

export function MeshPicture({
  topics,
  events,
}: {
  readonly topics: readonly ListedTopic[]
  readonly events: readonly ListedEvent[]
}): ReactNode {
  const mesh = buildMesh(topics, events)
  return (
    <figure className="mesh">
      <div className="mesh-columns" style={{ height: mesh.rows * ROW_PX }}>
        <ul className="mesh-column" aria-label="topics">
          {mesh.topics.map((one) => (
            <li
              key={one.topic.topic}
              className="mesh-card mesh-topic"
              style={{ top: one.row * ROW_PX }}
            >
              <Topic {...one} />
            </li>
          ))}
        </ul>
        <Lines mesh={mesh} />
        <ul className="mesh-column" aria-label="agents">
          {mesh.agents.map(({ agent, row }) => (
            <li key={agent.agent_id} className="mesh-card" style={{ top: row * ROW_PX }}>
              <Agent agent={agent} mesh={mesh} />
            </li>
          ))}
        </ul>
      </div>
      <figcaption className="small quiet">
        A line leads from a topic to each agent that listens to it. Thick: the last event of the
        topic woke the agent.
        {topics.some(({ arbitration }) => arbitration !== null)
          ? ' Arbitrated: proposals are collected for so long, and then the rules decide which is carried out.'
          : ''}
        {topics.some(({ admission }) => admission !== null)
          ? ' Admission: the rules limit how many agents are woken.'
          : ''}
        {mesh.left_off === 0 ? '' : ` ${mesh.left_off} more are not in the picture.`}
      </figcaption>
    </figure>
  )
}

function Topic({ topic, latest }: MeshTopic): ReactNode {
  const { topic: name, arbitration, admission, listening } = topic
  const rules = [
    arbitration === null ? null : `arbitrated in ${arbitration.window_ms / 1_000} s`,
    admission === null ? null : 'admission',
    `${listening} listening`,
  ].filter((one) => one !== null)
  return (
    <>
      <span className="mesh-name mono" title={toVisibleText(name)}>
        {toVisibleText(name)}
      </span>
      <span className="small quiet mesh-line" title={rules.join(', ')}>
        {rules.join(', ')}
      </span>
      {latest === null ? (
        <span className="small quiet">no event yet</span>
      ) : (
        <span className="small mesh-line">
          <Link href={`/events/${latest.event_id}`}>
            <When at={latest.at} />
          </Link>{' '}
          <Status {...describeEventOutcome(latest.outcome)} />
        </span>
      )}
    </>
  )
}

function Agent({ agent, mesh }: { readonly agent: TopicListener; readonly mesh: Mesh }): ReactNode {
  const { agent_id, role, priority, status, subscriptions } = agent
  const heard = mesh.lines.filter((line) => line.agent === agent_id)
  const woken = heard.filter(({ isWoken }) => isWoken)
  return (
    <>
      <Link className="mesh-name" href={`/agents/${encodeURIComponent(agent_id)}`} title={agent_id}>
        {agent_id}
      </Link>
      <span className="small quiet mesh-line">
        {toRoleName(role)}, priority {priority}
        {status === 'ACTIVE' ? null : (
          <>
            {' '}
            <Status {...getAgentStanding(status)} />
          </>
        )}
      </span>
      <span className="small quiet mesh-line">
        {subscriptions.map(({ wake_if }) => describeCondition(wake_if)).join('; ')}
      </span>
      <span className="unseen">
        listens to {heard.map(({ topic }) => toVisibleText(topic)).join(', ')}
        {woken.length === 0 ? '' : '; the last event woke it'}
      </span>
    </>
  )
}

const CONDITIONS: ReadonlyMap<string, (value: string) => string> = new Map([
  ['abs_change_pct', (value) => `at a change of ${value} % or more`],
  ['above', (value) => `at ${value} or more`],
  ['below', (value) => `at ${value} or less`],
  ['equals', (value) => `when it is ${value}`],
])

function describeCondition(wakeIf: object | undefined): string {
  const said = Object.entries(wakeIf ?? {}).flatMap(([name, value]) => {
    const describe = CONDITIONS.get(name)
    return describe === undefined ? [] : [describe(toVisibleText(String(value)))]
  })
  return said.length === 0 ? 'any change' : said.join(' or ')
}

/** Stretched to the room between the columns; what they say is also said with each agent. */
function Lines({ mesh: { lines, rows } }: { readonly mesh: Mesh }): ReactNode {
  const toY = (row: number): number => row * ROW_PX + ROW_PX / 2
  return (
    <svg
      className="mesh-lines"
      viewBox={`0 0 100 ${Math.max(1, rows * ROW_PX)}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      {lines.map(({ from, to, topic, agent, isWoken }) => (
        <path
          key={`${topic} ${agent}`}
          className={isWoken ? 'mesh-edge mesh-edge-woken' : 'mesh-edge'}
          d={`M0 ${toY(from)} C50 ${toY(from)} 50 ${toY(to)} 100 ${toY(to)}`}
        />
      ))}
    </svg>
  )
}
