import type { ServerTemplate } from './server-template.ts'

/** What is written here is read again by a model, later and elsewhere: it asks, though it can be repaired. */
export const MEMORY: ServerTemplate = {
  name: 'memory',
  knownBy: ['read_graph', 'open_nodes', 'search_nodes'],
  tools: {
    read_graph: { class: 'read' },
    search_nodes: { class: 'read' },
    open_nodes: { class: 'read' },
    create_entities: {
      class: 'write',
      measures: { entities: { count: true, of: '/entities/*' } },
      leaves: ['/entities'],
    },
    create_relations: {
      class: 'write',
      measures: { relations: { count: true, of: '/relations/*' } },
      leaves: ['/relations'],
    },
    add_observations: {
      class: 'write',
      measures: { observations: { count: true, of: '/observations/*' } },
      leaves: ['/observations'],
    },
    delete_entities: { class: 'destroy' },
    delete_observations: { class: 'destroy' },
    delete_relations: { class: 'destroy' },
  },
  limits: [
    { measure: 'entities', max: '64' },
    { measure: 'relations', max: '64' },
    { measure: 'observations', max: '64' },
  ],
}
