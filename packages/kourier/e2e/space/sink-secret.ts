/** What signs the events. */
const SINK_SECRET = `whsec_${Buffer.alloc(32, 's').toString('base64')}`;

export const SINK_SECRET_DOCUMENT = {
  ...{ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'sink' } },
  stringData: { signing: SINK_SECRET },
};
