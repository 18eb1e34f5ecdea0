/** What an auditor is shown of a site: the whole store when all is over, and the time of every entry. */
import type { LeafEntry } from '../../runtime/src/ports/store.ts'
import type { Report } from './audit/report.ts'
import type { Auditor } from './auditor.ts'
import { lookFromOutside } from './outsider.ts'
import type { Site } from './site.ts'
import { listOpenGenerations, listRecords } from './stored-records.ts'

/** What the store holds in the end, held against everything that was seen. */
export function auditFinalStore(
  auditor: Auditor,
  { tables, machines, options: { crafts } }: Site,
  thorough: boolean,
): void {
  const { entries, heads, counters, worlds, executions, flows } = tables
  if (crafts?.recover() === false) auditor.report('I28', 'what was left half done stays so')
  // Signatures are real in thorough seeds only.
  if (thorough) lookFromOutside(entries, (...found) => auditor.report(...found))
  auditor.finish({
    entries,
    heads: [...heads.values()],
    counters,
    resources: worlds.get('main')?.resources.values() ?? [],
    executions: [...executions.values()].flatMap((steps) => [...steps.values()]),
    flows,
    locks: listRecords(tables, 'lock').map(({ group: resource, key: holder, body }) => {
      return { resource, holder, amount: body.amount }
    }),
    escalations: listRecords(tables, 'escalation'),
    notices: listRecords(tables, 'notice'),
    stops: listRecords(tables, 'agent_stop'),
    timers: listRecords(tables, 'timer'),
    dirty: listRecords(tables, 'dirty_flow'),
    instances: listRecords(tables, 'instance'),
    events: listRecords(tables, 'event'),
    bids: listRecords(tables, 'bid'),
    claims: listRecords(tables, 'flow_claim'),
    letters: listRecords(tables, 'bus_letter'),
    generations: listOpenGenerations(tables),
    atoms: listRecords(tables, 'atom'),
    now: new Date(Math.max(...machines.map(({ clock }) => clock.getUnstrayedTime()))).toISOString(),
    noted: [
      ...listRecords(tables, 'note').map(({ group }) => group),
      ...listRecords(tables, 'noted_flow').map(({ key }) => key),
    ],
  })
  crafts?.end()
}

/** I22: no clock that went astray dates anything: by it, what is open would have ended for good. */
export function auditTimes(site: Site, entries: readonly LeafEntry[], report: Report): void {
  const right = [site.server, ...site.machines.map(({ clock }) => clock)].map((one) =>
    one.getUnstrayedTime(),
  )
  const latest = Math.max(...right)
  for (const { envelope } of entries)
    if (Date.parse(envelope.at) > latest)
      report('I22', `${envelope.trajectory}/${envelope.seq} is of ${envelope.at}, which is to come`)
}
