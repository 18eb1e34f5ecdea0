/** Where stores are made and copied, on either database: each with the keys that lie beside it. */
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startLocalServer } from '../../../../runtime/src/adapters/postgres/local-server.ts'
import type { StoreName } from '../../race/place.ts'
import { type Holder, openPostgresHolder, openSqliteHolder } from './holder.ts'
import type { SitePlace } from './site.ts'

export type Copy = { readonly place: SitePlace; holder(): Holder; remove(): Promise<void> }

export type Ground = {
  readonly store: StoreName
  createFresh(): Promise<Copy>
  copy(of: Copy): Promise<Copy>
  close(): Promise<void>
}

export function createSqliteGround(): Ground {
  const folder = mkdtempSync(join(tmpdir(), 'rubicon-at-rest-'))
  let made = 0
  const toCopy = (root: string): Copy => ({
    place: { store: `sqlite:${join(root, 'db', 'store.db')}`, stateDirectory: join(root, 'state') },
    holder: () => openSqliteHolder(join(root, 'db', 'store.db')),
    remove: async () => rmSync(root, { recursive: true, force: true }),
  })
  const allocatePath = (): string => {
    made += 1
    return join(folder, String(made))
  }
  return {
    store: 'sqlite',
    createFresh: async () => toCopy(allocatePath()),
    async copy({ place }) {
      const root = allocatePath()
      cpSync(join(place.stateDirectory, '..'), root, {
        recursive: true,
        filter: (path) => !path.endsWith('.lock') && !path.endsWith('-shm'),
      })
      return toCopy(root)
    },
    close: async () => rmSync(folder, { recursive: true, force: true }),
  }
}

export async function createPostgresGround(): Promise<Ground> {
  const folder = mkdtempSync(join(tmpdir(), 'rubicon-at-rest-'))
  const server = await startLocalServer()
  let made = 0
  const toCopy = (name: string): Copy => ({
    place: { store: server.formatAddress(name), stateDirectory: join(folder, name) },
    holder: () => openPostgresHolder(server, name),
    async remove() {
      rmSync(join(folder, name), { recursive: true, force: true })
      await server.query('postgres', `DROP DATABASE "${name}" WITH (FORCE)`)
    },
  })
  const getDatabaseName = ({ place }: Copy): string =>
    place.store.slice(place.store.lastIndexOf('/') + 1)
  const allocateName = (): string => {
    made += 1
    return `site_${made}`
  }
  return {
    store: 'postgres',
    async createFresh() {
      const name = allocateName()
      await server.createDatabase(name)
      return toCopy(name)
    },
    async copy(of) {
      const name = allocateName()
      await server.createDatabase(name, getDatabaseName(of))
      cpSync(of.place.stateDirectory, join(folder, name), { recursive: true })
      return toCopy(name)
    },
    async close() {
      await server.remove()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
