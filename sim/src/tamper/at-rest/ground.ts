/** Where stores are made and copied, on either database: each with the keys that lie beside it. */
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startLocalServer } from '../../../../runtime/src/adapters/postgres/local-server.ts'
import type { StoreName } from '../../race/place.ts'
import { type Holder, postgresHolder, sqliteHolder } from './holder.ts'
import type { Place } from './site.ts'

export type Copy = { readonly place: Place; holder(): Holder; remove(): Promise<void> }

export type Ground = {
  readonly store: StoreName
  fresh(): Promise<Copy>
  copy(of: Copy): Promise<Copy>
  close(): Promise<void>
}

export function sqliteGround(): Ground {
  const folder = mkdtempSync(join(tmpdir(), 'rubicon-at-rest-'))
  let made = 0
  const at = (root: string): Copy => ({
    place: { store: `sqlite:${join(root, 'db', 'store.db')}`, stateDirectory: join(root, 'state') },
    holder: () => sqliteHolder(join(root, 'db', 'store.db')),
    remove: async () => rmSync(root, { recursive: true, force: true }),
  })
  const next = (): string => {
    made += 1
    return join(folder, String(made))
  }
  return {
    store: 'sqlite',
    fresh: async () => at(next()),
    async copy({ place }) {
      const root = next()
      cpSync(join(place.stateDirectory, '..'), root, {
        recursive: true,
        filter: (path) => !path.endsWith('.lock') && !path.endsWith('-shm'),
      })
      return at(root)
    },
    close: async () => rmSync(folder, { recursive: true, force: true }),
  }
}

export async function postgresGround(): Promise<Ground> {
  const folder = mkdtempSync(join(tmpdir(), 'rubicon-at-rest-'))
  const server = await startLocalServer()
  let made = 0
  const at = (name: string): Copy => ({
    place: { store: server.formatAddress(name), stateDirectory: join(folder, name) },
    holder: () => postgresHolder(server, name),
    async remove() {
      rmSync(join(folder, name), { recursive: true, force: true })
      await server.query('postgres', `DROP DATABASE "${name}" WITH (FORCE)`)
    },
  })
  const nameOf = ({ place }: Copy): string => place.store.slice(place.store.lastIndexOf('/') + 1)
  const next = (): string => {
    made += 1
    return `site_${made}`
  }
  return {
    store: 'postgres',
    async fresh() {
      const name = next()
      await server.createDatabase(name)
      return at(name)
    },
    async copy(of) {
      const name = next()
      await server.createDatabase(name, nameOf(of))
      cpSync(of.place.stateDirectory, join(folder, name), { recursive: true })
      return at(name)
    },
    async close() {
      await server.remove()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
