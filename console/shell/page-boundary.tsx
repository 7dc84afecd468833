import { Component, type ReactNode } from 'react';
import { ErrorNote } from '../kit/error-note.tsx';

export class PageBoundary extends Component<{ children: ReactNode }, { error?: Error }> {
  override state: { error?: Error } = {};

  static getDerivedStateFromError(error: Error) {
    return { error };
  }

  override render() {
    const { error } = this.state;
    if (!error) return this.props.children;
    return <ErrorNote error={error} onRetry={() => location.reload()} />;
  }
}
