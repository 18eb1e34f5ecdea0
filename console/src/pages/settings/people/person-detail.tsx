/** One person: what they are known by, each with a way to take it away, and who else they are. */
import type { ReactNode } from 'react'
import type { Person } from 'rubicon-agents/client'
import { ConfirmButton } from '../../../parts/confirm-button.tsx'
import { Id } from '../../../parts/id.tsx'
import { Member, Members } from '../../../parts/members.tsx'
import { Table } from '../../../parts/table.tsx'
import { toVisibleText } from '../../../parts/visible-text.ts'
import { go } from '../../../url/location.ts'
import { toSettingHref } from '../admin-list.tsx'
import { FieldDialog } from '../field-dialog.tsx'
import { LookOnly, useIsOperator } from '../operators-only.tsx'

type Identity = { readonly name: string } | { readonly issuer: string; readonly sub: string }

export function PersonDetail({
  person,
  persons,
  changed,
}: {
  readonly person: Person
  readonly persons: readonly Person[]
  readonly changed: () => void
}): ReactNode {
  const isOperator = useIsOperator()
  const { person_id, names, logins, merged } = person
  const identities: readonly Identity[] = [...names.map((name) => ({ name })), ...logins]
  return (
    <div className="stack settings-detail">
      <h2>{toVisibleText(names[0] ?? 'A person without a name')}</h2>
      {isOperator ? (
        <PersonDeeds person={person} persons={persons} changed={changed} />
      ) : (
        <LookOnly />
      )}
      <Members>
        <Member name="id">
          <Id value={person_id} whole />
        </Member>
        {merged.length === 0 ? null : (
          <Member name="is also">
            {merged.map((one) => (
              <Id key={one} value={one} />
            ))}
          </Member>
        )}
      </Members>
      <section className="settings-table">
        <h3>Known by</h3>
        <Table label="identities" columns={['login']} hasAction>
          <tbody>
            {identities.map((identity) => (
              <tr key={describeIdentity(identity)}>
                <td>{toVisibleText(describeIdentity(identity))}</td>
                <td className="settings-act">
                  {isOperator ? (
                    <ConfirmButton
                      word="Unlink"
                      title={`Unlink ${describeIdentity(identity)}`}
                      means={[
                        'Whoever signs in with it is nobody from now on, and decides nothing.',
                        'What they decided stays as it was recorded. It can be linked again.',
                      ]}
                      ask={(client) =>
                        client.unlinkIdentity({ params: { id: person_id }, query: identity })
                      }
                      done={changed}
                    />
                  ) : null}
                </td>
              </tr>
            ))}
          </tbody>
        </Table>
      </section>
    </div>
  )
}

function describeIdentity(identity: Identity): string {
  return 'name' in identity ? identity.name : `${identity.sub} at ${identity.issuer}`
}

function PersonDeeds({
  person: { person_id, names },
  persons,
  changed,
}: {
  readonly person: Person
  readonly persons: readonly Person[]
  readonly changed: () => void
}): ReactNode {
  const params = { id: person_id }
  const others = persons.filter((one) => one.person_id !== person_id)
  const findId = (name: string): string =>
    others.find((one) => one.names.includes(name) || one.person_id === name)?.person_id ?? name
  return (
    <div className="row">
      <FieldDialog
        word="Link name"
        explains="A token of that name, or whoever has that mail address, is this person from now on."
        fields={[{ name: 'name', label: 'Name' }]}
        ask={(client, { name = '' }) => client.linkIdentity({ params, body: { name } })}
        done={changed}
      />
      <FieldDialog
        word="Link login"
        explains="Whoever the provider calls so is this person from now on."
        fields={[
          { name: 'issuer', label: 'Provider', placeholder: 'https://login.example.com' },
          { name: 'sub', label: 'What it calls them (sub)' },
        ]}
        ask={(client, { issuer = '', sub = '' }) =>
          client.linkIdentity({ params, body: { issuer, sub } })
        }
        done={changed}
      />
      {others.length === 0 ? null : (
        <FieldDialog
          word="Merge"
          explains={`${names[0] ?? 'This person'} and the other are one human: they count as one, also for what they decided before. This cannot be undone.`}
          fields={[
            {
              name: 'into',
              label: 'Into',
              options: others.map((one) => one.names[0] ?? one.person_id),
            },
          ]}
          ask={(client, { into = '' }) =>
            client.mergePersons({ params, body: { into: findId(into) } })
          }
          done={() => {
            changed()
            go(toSettingHref('people', ''))
          }}
        />
      )}
    </div>
  )
}
