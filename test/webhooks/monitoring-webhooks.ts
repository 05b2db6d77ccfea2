/** Requests as the services send them, and the messages that they become. */
export type Sample = {
  integration: string
  headers?: Record<string, string>
  sent: object
  event: string | null
  topic: string
  content: string
}

const graph = 'https://prometheus.example/graph?g0.expr=up'

const alert = (status: string, more: object = {}) => ({
  status,
  labels: { alertname: 'HighLoad', instance: 'web-1', severity: 'critical' },
  annotations: { summary: 'Load above *10* for five minutes' },
  startsAt: '2026-02-03T08:00:00.000Z',
  endsAt: '0001-01-01T00:00:00Z',
  generatorURL: graph,
  fingerprint: 'c6eadffa33fcdf37',
  ...more,
})

const group = {
  receiver: 'chat',
  status: 'firing',
  groupLabels: { alertname: 'HighLoad' },
  commonLabels: { alertname: 'HighLoad' },
  commonAnnotations: {},
  externalURL: 'https://alerts.example',
  version: '4',
  groupKey: '{}:{alertname="HighLoad"}',
  truncatedAlerts: 0,
}

const unnamed = { status: 'firing', labels: { instance: 'web-2', job: 'node' }, annotations: {} }

export const monitoring: Sample[] = [
  {
    integration: 'alertmanager',
    sent: { ...group, truncatedAlerts: 3, alerts: [alert('firing'), alert('resolved'), unnamed] },
    event: 'firing',
    topic: 'HighLoad',
    content: [
      '**Firing**',
      '',
      `- [HighLoad](${graph}): Load above &#42;10&#42; for five minutes`,
      '- Alert: instance=web-2, job=node',
      '',
      '**Resolved**',
      '',
      `- [HighLoad](${graph}): Load above &#42;10&#42; for five minutes`,
      '',
      '3 more alerts were not sent.',
    ].join('\n'),
  },
  {
    integration: 'alertmanager',
    sent: {
      ...group,
      status: 'resolved',
      groupLabels: { cluster: 'eu', env: 'prod' },
      commonLabels: {},
      alerts: [alert('resolved')],
    },
    event: 'resolved',
    topic: 'eu, prod',
    content: `**Resolved**\n\n- [HighLoad](${graph}): Load above &#42;10&#42; for five minutes`,
  },
  {
    integration: 'grafana',
    sent: {
      ...group,
      orgId: 1,
      title: '[FIRING:1] HighLoad',
      state: 'alerting',
      message: '**Firing**',
      alerts: [
        alert('firing', {
          generatorURL: 'https://grafana.example/alerting/1/edit',
          dashboardURL: 'https://grafana.example/d/2',
          panelURL: '',
          silenceURL: 'https://grafana.example/silence/3',
          values: { B: 12.5 },
        }),
      ],
    },
    event: 'firing',
    topic: 'HighLoad',
    content:
      '**Firing**\n\n- [HighLoad](https://grafana.example/alerting/1/edit): Load above &#42;10&#42; for five minutes ([dashboard](https://grafana.example/d/2), [silence](https://grafana.example/silence/3))',
  },
  {
    integration: 'grafana',
    sent: {
      dashboardId: 1,
      evalMatches: [{ value: 98.5, metric: 'cpu', tags: {} }],
      message: 'Look at it',
      orgId: 0,
      ruleId: 0,
      ruleName: 'CPU',
      ruleUrl: 'https://grafana.example/r/1',
      state: 'alerting',
      title: '[Alerting] CPU',
    },
    event: 'alerting',
    topic: 'CPU',
    content: '**Alerting**: [CPU](https://grafana.example/r/1) (cpu = 98.5):\n\n```quote\nLook at it\n```',
  },
  {
    integration: 'zabbix',
    sent: {
      hostname: 'db-1',
      severity: 'High',
      status: 'PROBLEM',
      item: 'Free space is 3 %',
      trigger: 'Disk nearly full',
      link: 'https://zabbix.example/tr_events.php?triggerid=1&eventid=2',
    },
    event: null,
    topic: 'db-1',
    content:
      '[Disk nearly full](https://zabbix.example/tr_events.php?triggerid=1&eventid=2) on db-1 (PROBLEM, High):\n\n```quote\nFree space is 3 %\n```',
  },
  {
    integration: 'zabbix',
    sent: { subject: 'Resolved: Disk nearly full', message: 'It took 5 m' },
    event: null,
    topic: 'Resolved: Disk nearly full',
    content: '**Resolved: Disk nearly full**:\n\n```quote\nIt took 5 m\n```',
  },
  {
    integration: 'uptimerobot',
    sent: {
      monitorID: '7',
      monitorURL: 'https://shop.example/',
      monitorFriendlyName: 'Shop',
      alertType: 1,
      alertTypeFriendlyName: 'Down',
      alertDetails: 'HTTP 503',
    },
    event: 'down',
    topic: 'Shop',
    content: '[Shop](https://shop.example/) is **down** (HTTP 503).',
  },
  {
    integration: 'uptimerobot',
    sent: {
      monitor_url: 'https://shop.example/',
      monitor_friendly_name: 'Shop',
      alert_type: '2',
      alert_details: '200',
      alert_friendly_duration: '5 minutes',
    },
    event: 'up',
    topic: 'Shop',
    content: '[Shop](https://shop.example/) is up again (200, after 5 minutes).',
  },
]
