import { Component, type ComponentChild, type FunctionComponent, h } from 'preact';

/** Draws again only when a property is another one: a long timeline stays cheap while its last answer grows. */
export function memo<Props extends object>(Render: FunctionComponent<Props>): FunctionComponent<Props> {
  class Memo extends Component<Props> {
    override shouldComponentUpdate(next: Props): boolean {
      const now: object = this.props;
      const keys = Object.keys(next);
      return (
        keys.length !== Object.keys(now).length || keys.some((key) => Reflect.get(next, key) !== Reflect.get(now, key))
      );
    }

    override render(): ComponentChild {
      return h(Render, this.props);
    }
  }
  return Memo as unknown as FunctionComponent<Props>;
}
