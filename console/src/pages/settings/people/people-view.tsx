/** Who is who: persons, and the names and logins that they are known by. */
import type { ReactNode } from 'react'
import type { Client, ClientAnswer, Person } from 'rubicon-agents/client'
import { loadEveryPage } from '../../../api/every-page.ts'
import { Id, shortenId } from '../../../parts/id.tsx'
import { Empty } from '../../../parts/outcomes.tsx'
import type { Column } from '../../../parts/rows.tsx'
import { toVisibleText } from '../../../parts/visible-text.ts'
import { AdminLead } from '../admin-lead.tsx'
import { AdminList } from '../admin-list.tsx'
import { FieldDialog } from '../field-dialog.tsx'
import { PersonDetail } from './person-detail.tsx'

const COLUMNS: readonly Column<Person>[] = [
  {
    head: 'person',
    cell: ({ names, person_id }) => toVisibleText(names[0] ?? shortenId(person_id)),
  },
  {
    head: 'other names',
    cell: ({ names }) => toVisibleText(names.slice(1).join(', ')),
    wide: true,
  },
  { head: 'logins', cell: ({ logins }) => logins.length, number: true },
  { head: 'id', cell: ({ person_id }) => <Id value={person_id} />, wide: true },
]

function loadPersons(
  client: Client,
  signal: AbortSignal,
): Promise<ClientAnswer<readonly Person[]>> {
  return loadEveryPage(async (cursor) => {
    const answer = await client.listPersons({ query: { limit: '1000', cursor }, signal })
    if (!answer.ok) return answer
    return { ...answer, body: { rows: answer.body.persons, next: answer.body.next } }
  })
}

export function PeopleView({ id }: { readonly id: string }): ReactNode {
  return (
    <AdminList
      what="persons"
      tab="people"
      id={id}
      ask={loadPersons}
      columns={COLUMNS}
      keyOf={({ person_id }) => person_id}
      lead={({ again }) => (
        <AdminLead says="A person decides once, whatever they signed in with: names of tokens and logins of a provider are linked to the person here.">
          <FieldDialog
            word="Register person"
            fields={[{ name: 'name', label: 'Name, as their token or mail address is' }]}
            ask={(client, { name = '' }) => client.registerPerson({ body: { name } })}
            done={again}
            hasMain
          />
        </AdminLead>
      )}
      empty={
        <Empty
          what="Nobody is registered yet. Whoever decides is registered when they first do, or by"
          command="npx rubicon person register NAME"
        />
      }
      detail={(person, persons, again) =>
        person === null ? (
          <Empty what="There is no such person; they may have been merged with another." />
        ) : (
          <PersonDetail key={person.person_id} person={person} persons={persons} changed={again} />
        )
      }
    />
  )
}
